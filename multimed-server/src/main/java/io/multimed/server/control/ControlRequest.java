package io.multimed.server.control;

import java.util.Locale;
import java.util.Optional;

/** What can be asked of a running instance. */
public enum ControlRequest {
    /** Answered with the status as JSON. */
    STATUS,
    /** Answered with the number of the process, which then drains and ends. */
    DOWN;

    String written() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ControlRequest> parse(String line) {
        for (ControlRequest request : values()) {
            if (request.written().equals(line)) {
                return Optional.of(request);
            }
        }
        return Optional.empty();
    }
}
