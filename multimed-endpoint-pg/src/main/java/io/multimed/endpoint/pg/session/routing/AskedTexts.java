package io.multimed.endpoint.pg.session.routing;

import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classifications that a unit has asked the parser for, by text: however often the unit is looked at, nothing is
 * asked twice. Bounds what it may ask.
 */
public final class AskedTexts {
    private final Map<ByteBuffer, ClassifiedSql> answers = new HashMap<>();
    private DatabaseCatalog catalog = DatabaseCatalog.UNKNOWN;
    private int shapes;
    private long firstNanos;
    private boolean exhausted;

    /** The answer about this text; null if there is none. */
    public @Nullable ClassifiedSql answerTo(byte[] sql, int length) {
        return answers.isEmpty() ? null : answers.get(ByteBuffer.wrap(sql, 0, length));
    }

    /** Whether that was found with what is known of the database in this catalog. */
    public boolean isFoundWith(DatabaseCatalog known) {
        return catalog == known;
    }

    /**
     * Asks for so many more shapes.
     *
     * @param mostShapes for which a unit may ask
     * @param mostNanos for which a unit may go on asking
     * @return false if the unit has asked for enough: what it does not know by now counts as not understood
     */
    public boolean mayAsk(int more, int mostShapes, long nowNanos, long mostNanos) {
        if (shapes == 0) {
            firstNanos = nowNanos;
        }
        shapes += more;
        exhausted |= shapes > mostShapes || nowNanos - firstNanos > mostNanos;
        return !exhausted;
    }

    /** Whether it has asked for enough. */
    public boolean isExhausted() {
        return exhausted;
    }

    /** The parser has answered, by what is known of the database in this catalog. */
    public void answered(List<byte[]> texts, List<ClassifiedSql> classified, DatabaseCatalog known) {
        if (catalog != known) {
            answers.clear();
            catalog = known;
        }
        for (int i = 0; i < texts.size(); i++) {
            answers.put(ByteBuffer.wrap(texts.get(i)), classified.get(i));
        }
    }

    void reset() {
        if (shapes != 0 || !answers.isEmpty()) {
            answers.clear();
            catalog = DatabaseCatalog.UNKNOWN;
            shapes = 0;
            exhausted = false;
        }
    }
}
