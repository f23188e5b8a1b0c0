package io.multimed.endpoint.pg.backend;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The value of {@code application_name} as engines show it: cut to fewer than NAMEDATALEN bytes, and in printable
 * ASCII alone (guc.c, {@code check_application_name} in variable.c, {@code pg_clean_ascii} in string.c).
 */
public final class ApplicationName {
    /** NAMEDATALEN - 1. */
    private static final int MOST_BYTES = 63;

    private static final int FIRST_WITH_HEXADECIMAL = 16;

    private ApplicationName() {}

    /**
     * Returns the value that an engine makes of the name.
     *
     * @param serverVersion as engines report it, such as {@code 18.1}
     */
    public static String shown(String name, String serverVersion) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int end = Math.min(bytes.length, MOST_BYTES);
        while (end < bytes.length && (bytes[end] & 0xc0) == 0x80) {
            // Do not cut within a UTF-8 character.
            end--;
        }
        boolean hexadecimal = major(serverVersion) >= FIRST_WITH_HEXADECIMAL;
        StringBuilder shown = new StringBuilder(end);
        for (int i = 0; i < end; i++) {
            if (isPrintable(bytes[i])) {
                shown.append((char) bytes[i]);
            } else {
                shown.append(hexadecimal ? String.format("\\x%02x", bytes[i] & 0xff) : "?");
            }
        }
        return shown.toString();
    }

    /**
     * Returns a name that an engine turns into this value again. An escaped value may be longer than the engine allows; the original
     * bytes are returned for it.
     */
    static String settable(String shown) {
        if (shown.length() <= MOST_BYTES) {
            return shown;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(MOST_BYTES);
        for (int i = 0; i < shown.length(); ) {
            int escaped = escapedByte(shown, i);
            bytes.write(escaped < 0 ? shown.charAt(i) : escaped);
            i += escaped < 0 ? 1 : 4;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            return shown;
        }
    }

    /** Returns the byte whose escape sequence begins at this index; negative if there is none. */
    private static int escapedByte(String shown, int at) {
        if (!shown.startsWith("\\x", at) || at + 4 > shown.length()) {
            return -1;
        }
        String digits = shown.substring(at + 2, at + 4);
        if (!digits.matches("[0-9a-f]{2}")) {
            return -1;
        }
        int value = Integer.parseInt(digits, 16);
        return isPrintable((byte) value) ? -1 : value;
    }

    private static boolean isPrintable(byte b) {
        return b >= ' ' && b <= '~';
    }

    private static int major(String serverVersion) {
        String digits = serverVersion.replaceFirst("\\D.*", "");
        return digits.isEmpty() ? FIRST_WITH_HEXADECIMAL : Integer.parseInt(digits);
    }
}
