package io.multimed.endpoint.pg.client;

import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parameters with which a client starts: who it wants to be, in which database, and parameters for the engine.
 *
 * @param others without the user and the database, in the client's order
 */
record StartupParameters(String user, String database, Map<String, String> others) {
    static final StartupParameters NONE = new StartupParameters("", "", Map.of());

    /** Longest name in bytes (NAMEDATALEN - 1). */
    private static final int LONGEST_NAME = 63;

    /**
     * Returns the parameters of a start-up packet, without those of the protocol. A client that names no database means that of its name.
     *
     * @throws ProtocolException if they name no user
     */
    static StartupParameters of(Map<String, String> given) throws ProtocolException {
        Map<String, String> others = new LinkedHashMap<>(given);
        String user = others.remove("user");
        if (user == null || user.isEmpty()) {
            throw ProtocolException.fatal(
                    SqlState.INVALID_AUTHORIZATION, "no PostgreSQL user name specified in startup packet");
        }
        String database = others.remove("database");
        return new StartupParameters(
                truncated(user), truncated(database == null || database.isEmpty() ? user : database), others);
    }

    /** Returns the parameters that are for the engine, without those that every start has; the caller's to change. */
    Map<String, String> ofEngine() {
        return new LinkedHashMap<>(others);
    }

    /** Cuts a name to NAMEDATALEN - 1 bytes, as PostgreSQL does. */
    private static String truncated(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LONGEST_NAME) {
            return name;
        }
        int end = LONGEST_NAME;
        while ((bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
