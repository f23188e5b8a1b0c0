package io.multimed.jdbc;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the log of the runtime of embedded engines, from its creation on. */
final class EngineLog extends Handler implements AutoCloseable {
    private final StringBuffer lines = new StringBuffer();
    private final Logger logger = Logger.getLogger("io.multimed.engine.embedded");

    EngineLog() {
        logger.addHandler(this);
    }

    String text() {
        return lines.toString();
    }

    @Override
    public void publish(LogRecord entry) {
        lines.append(entry.getMessage()).append('\n');
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
