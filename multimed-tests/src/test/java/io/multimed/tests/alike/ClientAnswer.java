package io.multimed.tests.alike;

import io.multimed.testkit.wire.Message;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** A client's answer, as far as two servers must answer the same. */
final class ClientAnswer {
    private static final int DETAILS = 18;

    private final List<Message> messages;
    private final long digest;

    ClientAnswer(List<Message> messages) {
        this.messages = messages;
        CRC32C crc = new CRC32C();
        for (Message message : messages) {
            if (message.type() == 'S') {
                continue;
            }
            crc.update(message.type());
            switch (message.type()) {
                // OIDs of tables differ between two servers.
                case 'T' -> crc.update(withoutTables(message.body()));
                // So do lines of source files, and positions where names are written otherwise.
                case 'E', 'N' -> crc.update(words(message).getBytes(StandardCharsets.UTF_8));
                default -> crc.update(message.body());
            }
        }
        digest = crc.getValue() << 32
                | messages.stream().filter(message -> message.type() != 'S').count();
    }

    /** Adds the parameters that the server has reported; it may report them in any order, and repeat known ones. */
    void addParameters(Map<String, String> parameters) {
        for (Message message : messages) {
            if (message.type() == 'S') {
                ByteBuffer body = message.reader();
                parameters.put(Message.string(body), Message.string(body));
            }
        }
    }

    private static String words(Message message) {
        var fields = message.fields();
        return fields.get('V') + " " + fields.get('C') + " " + fields.get('M');
    }

    private static byte[] withoutTables(byte[] body) {
        byte[] copy = Arrays.copyOf(body, body.length);
        ByteBuffer reader = ByteBuffer.wrap(copy);
        for (int columns = reader.getShort(); columns > 0; columns--) {
            Message.string(reader);
            reader.putInt(0);
            reader.position(reader.position() + DETAILS - 4);
        }
        return copy;
    }

    boolean isLike(ClientAnswer other) {
        return digest == other.digest;
    }

    /** Returns the transaction status at the end of the answer. */
    char status() {
        return (char) messages.getLast().body()[0];
    }

    boolean failed() {
        return messages.stream().anyMatch(message -> message.type() == 'E');
    }

    boolean says(char type) {
        return messages.stream().anyMatch(message -> message.type() == type);
    }

    /** Whether a cancel request or the statement_timeout has cancelled it. */
    boolean isCancelled() {
        return messages.stream()
                .anyMatch(message -> message.type() == 'E' && message.sqlState().equals("57014"));
    }

    /** Whether it is the refusal of READ ONLY transactions on Satellites that docs/limits.md describes. */
    boolean isRefusedOnSatellite() {
        return messages.stream()
                .anyMatch(message -> message.type() == 'E'
                        && words(message).startsWith("ERROR 0A000 cannot execute on a satellite within"));
    }

    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder();
        messages.forEach(message -> lines.append("    ").append(message).append('\n'));
        return lines.toString();
    }
}
