package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.session.loop.ClientSession;

/** Shows tests of other packages which way the reads of a session take. */
public final class ShortWay {
    private ShortWay() {}

    /** Whether the latest unit of the session was a plain read that took the short way. Called on the session's event loop. */
    public static boolean wasTaken(ClientSession session) {
        return ((Session) session).hasTakenShortWay();
    }
}
