package io.multimed.endpoint.pg.session.loop;

/** Writes parts of JSON texts in ASCII. */
public final class JsonText {
    private JsonText() {}

    /** Appends a member whose value is a string. */
    public static void member(StringBuilder json, String name, String value) {
        json.append('"').append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
                json.append(c);
            } else {
                json.append(String.format("\\u%04x", (int) c));
            }
        }
        json.append('"');
    }
}
