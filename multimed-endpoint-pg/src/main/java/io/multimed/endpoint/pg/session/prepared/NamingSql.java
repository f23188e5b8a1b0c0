package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Knows which of the statements that messages prepare are SQL about prepared statements: PREPARE, EXECUTE, DEALLOCATE, DISCARD.
 * Asked when a portal is made of one, since only then it is known what has the name: it may have been prepared right before,
 * and where nobody has looked ahead.
 */
final class NamingSql {
    private static final List<byte[]> BEGINNINGS = Stream.of("prepare", "execute", "deallocate", "discard")
            .map(word -> word.getBytes(StandardCharsets.US_ASCII))
            .toList();

    private final LoopContext loop;
    private final String database;

    NamingSql(LoopContext loop, String database) {
        this.loop = loop;
        this.database = database;
    }

    /** What it is, if it may be such. */
    List<Statement> in(PreparedStatement statement) {
        List<Statement> known = statement.naming();
        if (known == null) {
            known = mayBe(statement.sql()) ? classify(statement.sql()) : List.of();
            statement.naming(known);
        }
        return known;
    }

    private List<Statement> classify(byte[] sql) {
        ClassifiedSql known = loop.services()
                .classifier()
                .classify(sql, 0, sql.length, loop.services().schemas().catalog(database));
        // No parser has to be asked about any of these.
        return known == null ? List.of() : known.statements();
    }

    /** The first word tells, unless a comment stands before it. */
    private static boolean mayBe(byte[] sql) {
        int at = 0;
        while (at < sql.length && sql[at] >= 0 && sql[at] <= ' ') {
            at++;
        }
        if (at < sql.length && (sql[at] == '/' || sql[at] == '-')) {
            return true;
        }
        for (int i = 0; i < BEGINNINGS.size(); i++) {
            if (startsWith(sql, at, BEGINNINGS.get(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] sql, int at, byte[] word) {
        if (sql.length - at < word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if ((sql[at + i] | ' ') != word[i]) {
                return false;
            }
        }
        return true;
    }
}
