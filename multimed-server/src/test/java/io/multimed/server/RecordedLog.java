package io.multimed.server;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger that records its messages. */
final class RecordedLog extends LegacyAbstractLogger {
    @Serial
    private static final long serialVersionUID = 1;

    private record Line(Level level, String text) {}

    private final transient List<Line> lines = new ArrayList<>();

    /** Returns the messages of this level, in order. */
    List<String> of(Level level) {
        return lines.stream()
                .filter(line -> line.level() == level)
                .map(Line::text)
                .toList();
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String text,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        lines.add(new Line(level, MessageFormatter.basicArrayFormat(text, arguments)));
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return "";
    }

    @Override
    public boolean isTraceEnabled() {
        return true;
    }

    @Override
    public boolean isDebugEnabled() {
        return true;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
