package io.multimed.jdbc.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests entities mapped by Hibernate, which also creates their schema. */
@Tag("slow")
class HibernateTest {
    @Entity(name = "Customer")
    static class Customer {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        Long id;

        @Version
        int version;

        @Column(nullable = false, length = 80)
        String name;

        @Lob
        String notes;

        @OneToMany(mappedBy = "customer", cascade = CascadeType.ALL, orphanRemoval = true)
        List<Purchase> purchases = new ArrayList<>();

        protected Customer() {}

        Customer(String name, String notes) {
            this.name = name;
            this.notes = notes;
        }

        Customer buys(String amount) {
            purchases.add(new Purchase(this, new BigDecimal(amount)));
            return this;
        }
    }

    @Entity(name = "Purchase")
    static class Purchase {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        @ManyToOne(fetch = FetchType.LAZY, optional = false)
        Customer customer;

        BigDecimal amount;
        LocalDate paidOn = LocalDate.of(2011, 4, 10);

        protected Purchase() {}

        Purchase(Customer customer, BigDecimal amount) {
            this.customer = customer;
            this.amount = amount;
        }
    }

    private static SessionFactory on(Database database) {
        return new Configuration()
                .addAnnotatedClass(Customer.class)
                .addAnnotatedClass(Purchase.class)
                .setProperty("hibernate.connection.url", database.url())
                .setProperty("hibernate.connection.username", "SA")
                .setProperty("hibernate.connection.password", "")
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .setProperty("hibernate.jdbc.batch_size", 10)
                .buildSessionFactory();
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void entitiesAreStoredChangedAndFound(String of) throws SQLException {
        try (Database database = Database.open(of);
                SessionFactory sessions = on(database)) {
            String notes = "pays late. ".repeat(1000);
            Long id = sessions.fromTransaction(session -> {
                Customer customer = new Customer("Ada", notes).buys("12.50").buys("7.50");
                session.persist(customer);
                for (int i = 0; i < 30; i++) {
                    session.persist(new Customer("customer " + i, null).buys("1.00"));
                }
                return customer.id;
            });
            sessions.inTransaction(session -> {
                Customer customer = session.find(Customer.class, id);
                assertEquals(notes, customer.notes);
                assertEquals(2, customer.purchases.size());
                customer.purchases.remove(0);
                customer.name = "Ada L.";
            });
            sessions.inSession(session -> {
                session.doWork(connection -> connection.setReadOnly(true));
                assertEquals(
                        List.of("Ada L."),
                        session.createQuery(
                                        "select c.name from Customer c join c.purchases p where p.amount > 5",
                                        String.class)
                                .getResultList());
                assertEquals(
                        31L,
                        session.createQuery("select count(c) from Customer c", Long.class)
                                .getSingleResult());
            });
            assertTrue(database.servedBySatellites() > 0);
            database.assertInStep("customer", "purchase");
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void anEntityThatHasChangedMeanwhileIsNotOverwritten(String of) throws SQLException {
        try (Database database = Database.open(of);
                SessionFactory sessions = on(database)) {
            Customer known = sessions.fromTransaction(session -> {
                Customer customer = new Customer("Grace", null);
                session.persist(customer);
                return customer;
            });
            sessions.inTransaction(session -> session.find(Customer.class, known.id).name = "Grace H.");
            known.name = "nobody";
            assertThrows(OptimisticLockException.class, () -> sessions.inTransaction(session -> session.merge(known)));
            assertEquals(List.of("Grace H.|"), database.rows("SELECT name FROM customer"));
            database.assertInStep("customer");
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void bulkStatementsAndCascades(String of) throws SQLException {
        try (Database database = Database.open(of);
                SessionFactory sessions = on(database)) {
            sessions.inTransaction(session -> {
                for (int i = 0; i < 10; i++) {
                    session.persist(new Customer("c" + i, null).buys("3.00"));
                }
            });
            sessions.inTransaction(session -> {
                assertEquals(
                        10,
                        session.createMutationQuery("update Purchase p set p.amount = p.amount * 2")
                                .executeUpdate());
                session.remove(session.createQuery("from Customer c where c.name = 'c4'", Customer.class)
                        .getSingleResult());
            });
            assertEquals(
                    9, database.rows("SELECT * FROM purchase WHERE amount = 6").size());
            database.assertInStep("customer", "purchase");
        }
    }
}
