package io.multimed.endpoint.pg.auth;

import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** A reader for a client's SCRAM message, from its start to its end. Errors have PostgreSQL's text ({@code auth-scram.c}). */
final class ScramText {
    /** Result of {@link #peek} at the end. */
    private static final char END = '\0';
    /** Largest number of characters of a client's text that an error repeats. */
    private static final int MAX_QUOTED = 30;

    private final String text;
    private int at;

    private ScramText(String text) {
        this.text = text;
    }

    static ScramText of(ByteBuf body) throws ProtocolException {
        String text = body.readCharSequence(body.readableBytes(), StandardCharsets.ISO_8859_1)
                .toString();
        if (text.isEmpty()) {
            throw malformed("The message is empty.");
        }
        if (text.indexOf(END) >= 0) {
            throw malformed("Message length does not match input length.");
        }
        return new ScramText(text);
    }

    int position() {
        return at;
    }

    boolean atEnd() {
        return at >= text.length();
    }

    String before(int position) {
        return text.substring(0, position);
    }

    String rest() {
        return text.substring(at);
    }

    char peek() {
        return atEnd() ? END : text.charAt(at);
    }

    void skip() {
        at++;
    }

    void comma() throws ProtocolException {
        if (peek() != ',') {
            throw malformed("Comma expected, but found character \"" + shown(peek()) + "\".");
        }
        skip();
    }

    /** Returns the value of the next attribute, which must have this name, and skips the comma behind it. */
    String value(char attribute) throws ProtocolException {
        if (peek() != attribute) {
            throw malformed("Expected attribute \"" + attribute + "\" but found \"" + shown(peek()) + "\".");
        }
        return value();
    }

    /** Returns the value of the next attribute of any name, which {@link #peek} returns before. */
    String anyValue() throws ProtocolException {
        if (atEnd()) {
            throw malformed("Attribute expected, but found end of string.");
        }
        char attribute = peek();
        if (!(attribute >= 'A' && attribute <= 'Z') && !(attribute >= 'a' && attribute <= 'z')) {
            throw malformed("Attribute expected, but found invalid character \"" + shown(attribute) + "\".");
        }
        return value();
    }

    private String value() throws ProtocolException {
        char attribute = peek();
        skip();
        if (peek() != '=') {
            throw malformed("Expected character \"=\" for attribute \"" + attribute + "\".");
        }
        skip();
        int comma = text.indexOf(',', at);
        String value = text.substring(at, comma < 0 ? text.length() : comma);
        at = comma < 0 ? text.length() : comma + 1;
        return value;
    }

    static ProtocolException malformed(String detail) {
        return ProtocolException.fatal(SqlState.PROTOCOL_VIOLATION, "malformed SCRAM message", detail);
    }

    static String shown(char c) {
        return printable(c) ? "'" + c + "'" : "0x%02x".formatted((int) c);
    }

    static String shown(String value) {
        StringBuilder shown = new StringBuilder();
        value.chars().limit(MAX_QUOTED).forEach(c -> shown.append(printable((char) c) ? (char) c : '?'));
        return shown.toString();
    }

    static boolean printable(char c) {
        return c >= 0x21 && c <= 0x7e;
    }
}
