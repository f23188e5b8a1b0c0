package io.multimed.jdbc.frameworks;

import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests SQL written, run and mapped by jOOQ. */
class JooqTest {
    private static final Table<Record> BOOK = table(name("BOOK"));
    private static final Field<Integer> ID = field(name("ID"), SQLDataType.INTEGER);
    private static final Field<String> TITLE = field(name("TITLE"), SQLDataType.VARCHAR(60));
    private static final Field<Integer> PAGES = field(name("PAGES"), SQLDataType.INTEGER);

    private static DSLContext on(Connection connection, Database database) {
        return DSL.using(connection, database.isH2() ? SQLDialect.H2 : SQLDialect.HSQLDB);
    }

    private static void createBooks(DSLContext jooq) {
        jooq.createTable(BOOK)
                .column(ID, SQLDataType.INTEGER.identity(true))
                .column(TITLE, SQLDataType.VARCHAR(60).notNull())
                .column(PAGES)
                .constraint(DSL.primaryKey(ID))
                .execute();
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void insertsReturnTheirKeysAndQueriesFindThem(String of) throws SQLException {
        try (Database database = Database.open(of);
                Connection connection = database.connect()) {
            DSLContext jooq = on(connection, database);
            createBooks(jooq);
            Integer first = jooq.insertInto(BOOK, TITLE, PAGES)
                    .values("Commentaries", 320)
                    .returningResult(ID)
                    .fetchSingle()
                    .value1();
            jooq.batch(jooq.insertInto(BOOK, TITLE, PAGES).values((String) null, null))
                    .bind("Notes", 40)
                    .bind("Sketches", 60)
                    .execute();
            assertEquals(
                    List.of("Commentaries", "Notes", "Sketches"),
                    jooq.select(TITLE).from(BOOK).orderBy(TITLE).fetch(TITLE));
            assertEquals(
                    "Commentaries",
                    jooq.select(TITLE).from(BOOK).where(ID.eq(first)).fetchSingle(TITLE));
            assertEquals(
                    420,
                    jooq.select(sum(PAGES)).from(BOOK).fetchSingle().value1().intValue());
            assertEquals(2, jooq.selectCount().from(BOOK).where(PAGES.lt(100)).fetchSingle(count()));
            assertTrue(database.servedBySatellites() > 0);
            database.assertInStep("book");
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void transactionsNestAndRollBack(String of) throws SQLException {
        try (Database database = Database.open(of);
                Connection connection = database.connect()) {
            DSLContext jooq = on(connection, database);
            createBooks(jooq);
            jooq.transaction(outer -> {
                outer.dsl().insertInto(BOOK, TITLE, PAGES).values("kept", 1).execute();
                assertThrows(
                        IllegalStateException.class,
                        () -> outer.dsl().transaction(inner -> {
                            inner.dsl()
                                    .insertInto(BOOK, TITLE, PAGES)
                                    .values("taken back", 2)
                                    .execute();
                            throw new IllegalStateException("as wanted");
                        }));
                outer.dsl().update(BOOK).set(PAGES, PAGES.plus(10)).execute();
            });
            assertThrows(
                    DataAccessException.class,
                    () -> jooq.transaction(all -> {
                        all.dsl().deleteFrom(BOOK).execute();
                        all.dsl().insertInto(BOOK, TITLE).values((String) null).execute();
                    }));
            assertEquals(List.of(11), jooq.select(PAGES).from(BOOK).fetch(PAGES));
            database.assertInStep("book");
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void mergesAndAltersTables(String of) throws SQLException {
        try (Database database = Database.open(of);
                Connection connection = database.connect()) {
            DSLContext jooq = on(connection, database);
            createBooks(jooq);
            for (int pages : new int[] {100, 200}) {
                jooq.mergeInto(BOOK)
                        .using(jooq.selectOne())
                        .on(TITLE.eq("one"))
                        .whenMatchedThenUpdate()
                        .set(PAGES, pages)
                        .whenNotMatchedThenInsert(TITLE, PAGES)
                        .values("one", pages)
                        .execute();
            }
            Field<String> isbn = field(name("ISBN"), SQLDataType.VARCHAR(20));
            jooq.alterTable(BOOK).addColumn(isbn, SQLDataType.VARCHAR(20)).execute();
            jooq.update(BOOK).set(isbn, "none").execute();
            assertEquals(
                    "200 none",
                    jooq.select(PAGES, isbn).from(BOOK).fetchSingle(row -> row.value1() + " " + row.value2()));
            database.assertInStep("book");
        }
    }
}
