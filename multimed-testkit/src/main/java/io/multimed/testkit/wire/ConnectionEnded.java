package io.multimed.testkit.wire;

import java.io.IOException;

/** Thrown if the server has closed the connection; a reset counts as that. */
public final class ConnectionEnded extends IOException {
    ConnectionEnded(String how) {
        super(how);
    }
}
