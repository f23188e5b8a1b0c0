package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.loop.JsonText;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.NamedStatement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Writes the statements that a client has prepared by messages, in the format of the setting that {@code ProcessNumberSql} reads.
 */
final class PreparedJson {
    /** Most bytes of names, and of texts that the engine does not hold itself, in the setting. */
    private static final int MOST_TEXT = 256 * 1024;

    private PreparedJson() {}

    /**
     * Returns a JSON array.
     *
     * @param named the statements by the client's names
     * @param held the statements that the engine holds
     * @param utf8 whether the client speaks UTF-8; otherwise non-ASCII names and texts cannot be decoded here
     */
    static String of(Map<String, NamedStatement> named, PreparedOnBackend held, boolean utf8) {
        StringBuilder json = new StringBuilder("[");
        int room = MOST_TEXT;
        for (Map.Entry<String, NamedStatement> each : named.entrySet()) {
            PreparedStatement statement = each.getValue().statement();
            if (json.length() > 1) {
                json.append(',');
            }
            JsonText.member(json.append('{'), "engine", statement.engineName());
            json.append(",\"row\":{\"name\":null");
            // Names have one character per byte of the message.
            byte[] name = each.getKey().getBytes(StandardCharsets.ISO_8859_1);
            room = text(json, "name", name, utf8, room);
            // The engine may have prepared the statement at another time for another client.
            JsonText.member(
                    json.append(','), "prepare_time", each.getValue().since().toString());
            if (!held.holds(statement)) {
                room = text(json, "statement", statement.sql(), utf8, room);
                types(json, statement.engineTypes());
                json.append(",\"from_sql\":false,\"generic_plans\":0,\"custom_plans\":0");
            }
            json.append("}}");
        }
        return json.append(']').toString();
    }

    /**
     * Appends a text if there is room for it.
     *
     * @return the remaining room
     */
    private static int text(StringBuilder json, String member, byte[] text, boolean utf8, int room) {
        if (text.length > room || (!utf8 && !isAscii(text))) {
            return room;
        }
        JsonText.member(json.append(','), member, new String(text, StandardCharsets.UTF_8));
        return room - text.length;
    }

    private static void types(StringBuilder json, byte[] types) {
        json.append(",\"parameter_types\":[");
        ByteBuffer oids = ByteBuffer.wrap(types);
        int count = Short.toUnsignedInt(oids.getShort());
        for (int i = 0; i < count; i++) {
            json.append(i == 0 ? "\"" : ",\"")
                    .append(Integer.toUnsignedString(oids.getInt()))
                    .append('"');
        }
        json.append(']');
    }

    private static boolean isAscii(byte[] text) {
        for (byte b : text) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }
}
