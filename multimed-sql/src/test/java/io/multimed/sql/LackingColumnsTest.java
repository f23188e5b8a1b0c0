package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which reads a partial Satellite answers that lacks columns of a table: node 1 lacks item.note and item.photo, node 2 nothing. */
class LackingColumnsTest {
    private static final DatabaseCatalog CATALOG = limited();

    private static DatabaseCatalog limited() {
        DatabaseCatalog.Builder builder = catalog();
        for (String column : List.of("id", "title", "author")) {
            builder.column("item", 0, 1, column, true);
        }
        builder.column("item", 0, 1, "note", false).column("item", 0, 1, "photo", false);
        for (String table : List.of("secured", "secured_by_row", "secured_by_id")) {
            builder.column(table, 0, 1, "id", true).column(table, 0, 1, "hidden", false);
        }
        // Of two tables of a name the node lacks a column of one.
        builder.column("twice", 0, 1, "id", true).column("twice", 0, 1, "state", true);
        builder.column("twice", 0, 2, "id", true).column("twice", 0, 2, "state", false);
        return builder.build();
    }

    private static DatabaseCatalog.Builder catalog() {
        return new DatabaseCatalog.Builder()
                .holders(0b11)
                .relation("item", 0b11L)
                .relation("author", 0b11L)
                .relation("titles", 0b11L)
                .relation("notes", 0b11L)
                .relation("joined", 0b11L)
                .relation("rows", 0b11L)
                .relation("twice", 0b11L)
                .relation("secured", 0b11L)
                .relation("secured_by_row", 0b11L)
                .relation("secured_by_id", 0b11L)
                .row("definition", "titles", " SELECT item.id,\n    item.title\n   FROM item;")
                .row("definition", "notes", " SELECT i.note AS title FROM item i;")
                .row(
                        "definition",
                        "joined",
                        " SELECT i.title, a.name FROM (item i JOIN author a ON ((i.author = a.id))) WHERE (a.id > 1);")
                .row("definition", "rows", " SELECT i.*::item AS i FROM item i;")
                .row("definition", "secured", "SELECT (hidden = CURRENT_USER)")
                .row("definition", "secured_by_row", "SELECT (secured_by_row.* IS NOT NULL)")
                .row("definition", "secured_by_id", "SELECT (id > 1)");
    }

    private static long holders(String sql) {
        Verdict verdict = new Judge(new Names(CATALOG, ClassifierOptions.DEFAULT), false).judge(Tokens.of(sql));
        assertTrue(verdict.harmless(), () -> verdict.because() + ": " + sql);
        return verdict.holders() & 0b11;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id, title FROM item",
                "SELECT item.id FROM item",
                "SELECT i.id FROM shop.item AS i WHERE i.title = 'x' ORDER BY i.id",
                "SELECT count(*) FROM item i",
                "SELECT i.id * 2, 2 * i.id, (i.id) * (i.id), count(*) * i.id FROM item i GROUP BY i.id",
                "SELECT a.name, sum(i.id) AS total FROM item i JOIN author a ON a.id = i.author GROUP BY a.name ORDER BY total",
                "SELECT a.name FROM author a LEFT JOIN ONLY item USING (author), item AS j",
                "SELECT i.id FROM (item i JOIN author a ON i.author = a.id) WHERE a.id = 1",
                "SELECT name FROM author WHERE EXISTS (SELECT FROM item WHERE item.author = author.id)",
                "SELECT id FROM item WHERE author IN (SELECT a.id FROM author a)",
                "WITH t AS (SELECT title FROM item) SELECT title FROM t",
                "SELECT * FROM author",
                "SELECT * FROM titles",
                "SELECT * FROM joined",
                "SELECT note FROM author",
                "SELECT author.item, item.id FROM author, item",
                "SELECT t.id FROM twice t",
                "SELECT id FROM secured_by_id"
            })
    void answersReadsOfTheColumnsThatItHas(String sql) {
        assertEquals(0b11, holders(sql), sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT note FROM item",
                "SELECT i.\"note\" FROM item i",
                "SELECT id FROM item WHERE note IS NULL",
                "SELECT id FROM item ORDER BY NOTE",
                "SELECT (i).note FROM item AS i",
                "SELECT (SELECT note FROM author LIMIT 1) FROM item",
                "SELECT a.id FROM author a JOIN item i USING (id, note)",
                "SELECT * FROM notes",
                "SELECT title FROM notes",
                "SELECT t.state FROM twice t",
                "SELECT id FROM secured"
            })
    void doesNotAnswerReadsThatMayNameAColumnThatItLacks(String sql) {
        assertEquals(0b10, holders(sql), sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM item",
                "SELECT *FROM item",
                "SELECT ALL * FROM item",
                "SELECT DISTINCT * FROM item",
                "SELECT DISTINCT ON (id) * FROM item",
                "SELECT DISTINCT ON (id) *, 1 FROM item",
                "SELECT id, * FROM item",
                "SELECT i.* FROM item i",
                "SELECT (i).* FROM item i",
                "SELECT ROW(i.*, 1) FROM item i",
                "SELECT * FROM author, item",
                "SELECT 1 FROM (SELECT * FROM item) AS i",
                "WITH t AS (SELECT * FROM item) SELECT title FROM t",
                "SELECT author.id FROM author WHERE EXISTS (SELECT * FROM item)",
                "TABLE item",
                "SELECT 1 UNION TABLE item",
                "SELECT item FROM item",
                "SELECT i FROM item i",
                "SELECT i.to_json FROM item i",
                "SELECT item.row_to_json FROM item",
                "SELECT shop.item.count FROM shop.item",
                "SELECT i FROM item AS \"i\"",
                "SELECT \"i\" FROM ONLY item i",
                "SELECT count(i) FROM item i",
                "SELECT to_json(i) FROM shop.item i",
                "SELECT i::text FROM item i",
                "SELECT i = i FROM item i",
                "SELECT max(i.id) FROM item i GROUP BY i",
                "SELECT id FROM item i ORDER BY i",
                "SELECT (SELECT i) FROM item i",
                "SELECT s FROM item i, LATERAL (SELECT i) s",
                "SELECT c FROM item AS i (a, b, c)",
                "SELECT c FROM item i(a, b, c)",
                "SELECT a.id FROM author a NATURAL JOIN item",
                "SELECT a.id FROM item NATURAL LEFT JOIN author a",
                "SELECT j FROM (item i JOIN author a ON true) AS j",
                "SELECT j FROM (item i JOIN author a ON true) j",
                "SELECT j FROM ((item i JOIN author a ON true) JOIN author b ON true) j",
                "SELECT x FROM ONLY (item) x",
                "SELECT x FROM item * x",
                "SELECT NULL::item",
                "SELECT CAST(NULL AS item)",
                "SELECT * FROM rows",
                "SELECT id FROM secured_by_row"
            })
    void doesNotAnswerReadsThatMayReadAllColumns(String sql) {
        assertEquals(0b10, holders(sql), sql);
    }

    @Test
    void catalogsWithOtherColumnsAreOthers() {
        assertFalse(CATALOG.sameContents(catalog().build()));
    }
}
