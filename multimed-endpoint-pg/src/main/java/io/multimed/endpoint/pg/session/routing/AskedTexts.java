package io.multimed.endpoint.pg.session.routing;

import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classifications for which a unit has asked the parser, by text. However often the unit is examined, no text is asked twice.
 * The class also bounds the number of inquiries.
 */
public final class AskedTexts {
    private final Map<ByteBuffer, ClassifiedSql> answers = new HashMap<>();
    private DatabaseCatalog catalog = DatabaseCatalog.UNKNOWN;
    private int shapes;
    private long firstNanos;
    private boolean exhausted;

    /** The answer for this text; null if there is none. */
    public @Nullable ClassifiedSql answerTo(byte[] sql, int length) {
        return answers.isEmpty() ? null : answers.get(ByteBuffer.wrap(sql, 0, length));
    }

    /** Whether the answers were found with this catalog of the database. */
    public boolean isFoundWith(DatabaseCatalog known) {
        return catalog == known;
    }

    /**
     * Records a request for this many more shapes.
     *
     * @param mostShapes the number of shapes for which a unit may ask
     * @param mostNanos the time during which a unit may ask
     * @return false if the unit must not ask again; texts that are unknown by then count as not understood
     */
    public boolean mayAsk(int more, int mostShapes, long nowNanos, long mostNanos) {
        if (shapes == 0) {
            firstNanos = nowNanos;
        }
        shapes += more;
        exhausted |= shapes > mostShapes || nowNanos - firstNanos > mostNanos;
        return !exhausted;
    }

    /** Whether the unit must not ask again. */
    public boolean isExhausted() {
        return exhausted;
    }

    /** Records the parser's answers, which were found with this catalog of the database. */
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
