package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.NotRead;
import io.multimed.sql.Processes;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Knows which of the statements that messages prepare are SQL about prepared statements (PREPARE, EXECUTE, DEALLOCATE, DISCARD), or
 * have another effect on the session when they are executed (COPY FROM STDIN, DROP DATABASE).
 * Asked when a portal is made of one, since only then it is known what has the name: it may have been prepared right before,
 * and where nobody has looked ahead.
 */
final class NamingSql {
    private static final List<byte[]> BEGINNINGS = Stream.of("prepare", "execute", "deallocate", "discard", "drop")
            .map(NamingSql::word)
            .toList();
    private static final byte[] COPY = word("copy");
    private static final byte[] STDIN = word("stdin");
    /** COPY FROM STDIN, whatever else is to be said of it. */
    private static final List<Statement> COPIES_IN = List.of(
            new Statement.Update(NotRead.MAY_WRITE, SessionEffect.NONE, "COPY", false, false, Processes.NONE, true));

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
            known = found(statement.sql());
            statement.naming(known);
        }
        return known;
    }

    private List<Statement> found(byte[] sql) {
        int start = firstWord(sql);
        if (startsWith(sql, start, COPY)) {
            return contains(sql, start, STDIN) ? COPIES_IN : List.of();
        }
        return mayBe(sql, start) ? classify(sql) : List.of();
    }

    private List<Statement> classify(byte[] sql) {
        ClassifiedSql known = loop.services()
                .classifier()
                .classify(sql, 0, sql.length, loop.services().schemas().catalog(database));
        // No parser has to be asked about any of these.
        return known == null ? List.of() : known.statements();
    }

    /** The first word tells, unless a comment stands before it. */
    private static boolean mayBe(byte[] sql, int at) {
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

    private static byte[] word(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static int firstWord(byte[] sql) {
        int at = 0;
        while (at < sql.length && sql[at] >= 0 && sql[at] <= ' ') {
            at++;
        }
        return at;
    }

    private static boolean contains(byte[] sql, int from, byte[] word) {
        for (int at = from; at + word.length <= sql.length; at++) {
            if (startsWith(sql, at, word)) {
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
