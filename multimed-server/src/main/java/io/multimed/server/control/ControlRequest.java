package io.multimed.server.control;

import java.util.Locale;
import java.util.Optional;

/** Requests to a running instance. */
public enum ControlRequest {
    /** Request for the status, answered as JSON. */
    STATUS,
    /** Request to drain and end, answered with the number of the process. */
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
