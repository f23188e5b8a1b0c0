package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.NotRead;
import io.multimed.sql.Processes;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds statements prepared by messages that are SQL about prepared statements (PREPARE, EXECUTE, DEALLOCATE, DISCARD) or affect
 * the session otherwise when they are executed (COPY FROM STDIN, DROP DATABASE, the end of the transaction). The search takes place when a portal is created,
 * since only then is it known which statement has the name. The statement may have been prepared immediately before, and in
 * messages that were not examined in advance.
 */
public final class NamingSql {
    private static final List<byte[]> BEGINNINGS = Stream.of(
                    "prepare", "execute", "deallocate", "discard", "drop", "commit", "end", "rollback", "abort")
            .map(NamingSql::word)
            .toList();
    private static final byte[] COPY = word("copy");
    private static final byte[] STDIN = word("stdin");
    /** COPY FROM STDIN with any options. */
    private static final List<Statement> COPIES_IN = List.of(
            new Statement.Update(NotRead.MAY_WRITE, SessionEffect.NONE, "COPY", false, false, Processes.NONE, true));

    private final StatementClassifier classifier;
    private final Supplier<DatabaseCatalog> catalogs;

    /**
     * Creates the search.
     *
     * @param catalogs returns the present catalog of the session's database
     */
    public NamingSql(StatementClassifier classifier, Supplier<DatabaseCatalog> catalogs) {
        this.classifier = classifier;
        this.catalogs = catalogs;
    }

    /** Returns the statements of these kinds that the text contains. */
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
        ClassifiedSql known = classifier.classify(sql, 0, sql.length, catalogs.get());
        // The parser is not needed for any of these.
        return known == null ? List.of() : known.statements();
    }

    /** Whether the first word is one of these, or a comment hides it. */
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
