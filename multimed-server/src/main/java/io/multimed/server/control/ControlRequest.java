package io.multimed.server.control;

import java.util.Locale;
import java.util.Optional;

/** Requests to a running instance. */
public enum ControlRequest {
    /** Request for the status, answered as JSON. */
    STATUS,
    /** Request to read the configuration again, answered as JSON. */
    RELOAD,
    /** Request for all that helps to find the cause of a problem, answered as JSON without secrets. */
    REPORT,
    /** Request to drain and end, answered with the number of the process. */
    DOWN,
    /** Request for proposals which indexes partial Satellites could have instead of the Master. */
    LEAN,
    /** Request to move an index, or all that are proposed if none is named. */
    LEAN_APPLY,
    /** Request to bring an index back to the Master, or all that were moved if none is named. */
    LEAN_UNDO;

    String written() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @param line a request, without its argument */
    static Optional<ControlRequest> parse(String line) {
        for (ControlRequest request : values()) {
            if (request.written().equals(line)) {
                return Optional.of(request);
            }
        }
        return Optional.empty();
    }
}
