package io.multimed.jdbc.frameworks.boot;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

/** The application's repository, which Spring Data implements. */
public interface Items extends JpaRepository<Item, Long> {
    List<Item> findByNameStartingWithOrderByName(String beginning);
}
