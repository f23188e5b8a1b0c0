package io.multimed.cli.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Passes lines from INFO on to {@link LogFile}. */
final class FileLogger extends LegacyAbstractLogger {
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
        LogFile.write(level, name, MessageFormatter.basicArrayFormat(pattern, arguments), cause);
    }
}
