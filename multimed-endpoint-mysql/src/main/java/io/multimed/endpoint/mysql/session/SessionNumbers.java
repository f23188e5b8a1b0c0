package io.multimed.endpoint.mysql.session;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All sessions by the Master's numbers of their connections: that which the client knows since its login, and that of the present one.
 * Thread-safe.
 */
public final class SessionNumbers {
    private final ConcurrentHashMap<Long, MysqlSession> sessions = new ConcurrentHashMap<>();

    void add(long number, MysqlSession session) {
        sessions.put(number, session);
    }

    void remove(long number, MysqlSession session) {
        sessions.remove(number, session);
    }

    @Nullable
    MysqlSession find(long number) {
        return sessions.get(number);
    }
}
