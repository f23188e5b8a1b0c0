package io.multimed.cli.log;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/** Passes lines from INFO on to {@link LogFile}. */
final class FileLogger extends LegacyAbstractLogger implements LoggingEventAware {
    private static final long serialVersionUID = 1;

    FileLogger(String name) {
        this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return false;
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

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable cause) {
        LogFile.write(level, name, MessageFormatter.basicArrayFormat(pattern, arguments), List.of(), cause);
    }

    @Override
    public void log(LoggingEvent event) {
        List<KeyValuePair> values = event.getKeyValuePairs();
        LogFile.write(
                event.getLevel(),
                name,
                MessageFormatter.basicArrayFormat(event.getMessage(), event.getArgumentArray()),
                values == null ? List.of() : values,
                event.getThrowable());
    }
}
