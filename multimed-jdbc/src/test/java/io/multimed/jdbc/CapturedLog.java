package io.multimed.jdbc;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the log of the runtime of embedded engines, from its creation on. */
final class CapturedLog extends Handler implements AutoCloseable {
    private final StringBuilder lines = new StringBuilder();
    private final Logger logger = Logger.getLogger("io.multimed.engine.embedded");

    CapturedLog() {
        logger.addHandler(this);
    }

    synchronized String text() {
        return lines.toString();
    }

    @Override
    public synchronized void publish(LogRecord entry) {
        lines.append(entry.getMessage()).append('\n');
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
