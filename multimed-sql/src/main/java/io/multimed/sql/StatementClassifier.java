package io.multimed.sql;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells what statements may do. Shared by all event loops; shapes are parsed once, on a thread of its own.
 *
 * <p>The SQL must be in a client encoding in which bytes below 0x80 are ASCII wherever they stand: see {@link
 * #understands}; anything else counts as {@link ClassifiedSql#UNPARSED} and is the caller's to treat so.
 */
public final class StatementClassifier implements AutoCloseable {

    public StatementClassifier(ClassifierOptions options) {
        java.util.Objects.requireNonNull(options);
    }

    /**
     * Whether SQL in this client encoding can be classified.
     *
     * @param clientEncoding as the backend reports {@code client_encoding}
     */
    public static boolean understands(String clientEncoding) {
        return switch (clientEncoding) {
            // A second byte may be that of an ASCII character (PostgreSQL manual, 23.3.1: client-only encodings).
            case "BIG5", "GB18030", "GBK", "JOHAB", "SHIFT_JIS_2004", "SJIS", "UHC" -> false;
            default -> true;
        };
    }

    /**
     * Event loop; never blocks, never throws on any bytes.
     *
     * @param sql the statement's bytes without the terminating zero
     * @param catalog of the database the session is connected to
     * @return the classification, or null while its shape is not known yet: then call {@link #whenClassified}
     */
    public @Nullable ClassifiedSql classify(byte[] sql, int offset, int length, DatabaseCatalog catalog) {
        return ClassifiedSql.UNPARSED;
    }

    /**
     * Runs {@code then} on {@code executor} once the classification is known, exactly once, also when the parser fails,
     * is overloaded or closed (then {@link ClassifiedSql#UNPARSED} or one like it). Copies the bytes it needs. Never
     * blocks; any thread.
     */
    public void whenClassified(
            byte[] sql,
            int offset,
            int length,
            DatabaseCatalog catalog,
            Executor executor,
            Consumer<ClassifiedSql> then) {
        executor.execute(() -> then.accept(ClassifiedSql.UNPARSED));
    }

    /** Ends the parser thread; what was waiting gets {@link ClassifiedSql#UNPARSED}. */
    @Override
    public void close() {}
}
