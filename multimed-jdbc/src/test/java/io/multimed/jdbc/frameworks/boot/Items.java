package io.multimed.jdbc.frameworks.boot;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

/** Spring Data writes it. */
public interface Items extends JpaRepository<Item, Long> {
    List<Item> findByNameStartingWithOrderByName(String beginning);
}
