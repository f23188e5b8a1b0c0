package io.multimed.endpoint.pg.session.requests;

import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.Inquiry;
import io.multimed.sql.StatementClassifier;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets the parser examine statements while the Master executes them, so that later statements of these shapes are understood. A
 * session has one inquiry at a time, and none after it has ended.
 */
public final class Learning {
    /** Most bytes of texts that wait. Further texts are examined when they come again. */
    private static final int MOST_BYTES = 64 * 1024;

    private final EventLoop loop;
    private final StatementClassifier classifier;
    private final List<byte[]> next = new ArrayList<>();
    private int nextBytes;
    private DatabaseCatalog catalog = DatabaseCatalog.UNKNOWN;
    private @Nullable Inquiry current;

    public Learning(EventLoop loop, StatementClassifier classifier) {
        this.loop = loop;
        this.classifier = classifier;
    }

    /** Examines a text with unknown shapes. */
    void of(byte[] sql, int length, DatabaseCatalog known) {
        if (current != null && nextBytes + length > MOST_BYTES) {
            return;
        }
        byte[] text = new byte[length];
        System.arraycopy(sql, 0, text, 0, length);
        next.add(text);
        nextBytes += length;
        catalog = known;
        goOn();
    }

    /** Continues an inquiry whose input has already been read and has unknown shapes. */
    void of(Inquiry inquiry) {
        if (current == null) {
            start(inquiry);
        }
    }

    private void goOn() {
        if (current == null && !next.isEmpty()) {
            List<byte[]> texts = List.copyOf(next);
            next.clear();
            nextBytes = 0;
            start(classifier.inquire(texts, catalog));
        }
    }

    private void start(Inquiry inquiry) {
        current = inquiry;
        inquiry.start(loop, classified -> {
            current = null;
            goOn();
        });
    }

    /** Abandons all inquiries, because the session has ended. */
    public void end() {
        next.clear();
        if (current != null) {
            current.abandon();
        }
    }
}
