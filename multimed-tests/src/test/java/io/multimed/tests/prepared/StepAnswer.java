package io.multimed.tests.prepared;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.MessageText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to a step, as far as two servers must give the same one. Types that are not built in have different OIDs on each
 * server. So each OID of one server must always correspond to the same OID of the other.
 */
final class StepAnswer {
    /** The first OID of users' objects: FirstNormalObjectId (access/transam.h). */
    private static final long FIRST_USER_OID = 16_384;

    private final List<String> lines = new ArrayList<>();
    private final List<Long> userTypes = new ArrayList<>();

    private StepAnswer() {}

    static StepAnswer of(List<Message> messages) {
        StepAnswer answer = new StepAnswer();
        for (Message message : messages) {
            answer.add(message);
        }
        return answer;
    }

    private void add(Message message) {
        switch (message.type()) {
            case 'S', 'N' -> {}
            case 'E' -> {
                Map<Character, String> fields = message.fields();
                String text = fields.get('M');
                if (message.sqlState().equals("XX000")) {
                    // The text names objects by their OIDs, which two servers assign in different order.
                    text = text.replaceAll("\\d+", "N");
                }
                lines.add("ErrorResponse " + fields.get('V') + " " + fields.get('C') + " " + text);
            }
            case 't' -> {
                ByteBuffer body = message.reader();
                StringBuilder line = new StringBuilder("ParameterDescription");
                for (int i = Short.toUnsignedInt(body.getShort()); i > 0; i--) {
                    line.append(' ').append(type(Integer.toUnsignedLong(body.getInt())));
                }
                lines.add(line.toString());
            }
            case 'T' -> lines.add(rowDescription(message.reader()));
            default -> lines.add(MessageText.line(message));
        }
    }

    private String rowDescription(ByteBuffer body) {
        StringBuilder line = new StringBuilder("RowDescription");
        for (int i = Short.toUnsignedInt(body.getShort()); i > 0; i--) {
            line.append(' ').append(Message.string(body));
            body.getInt();
            body.getShort();
            line.append(':').append(type(Integer.toUnsignedLong(body.getInt())));
            line.append('/').append(body.getShort()).append('/').append(body.getInt());
            line.append('/').append(body.getShort());
        }
        return line.toString();
    }

    private String type(long oid) {
        if (oid < FIRST_USER_OID) {
            return Long.toString(oid);
        }
        userTypes.add(oid);
        return "user-defined";
    }

    /** The transaction status that the server has reported last. */
    char status() {
        String last = lines.getLast();
        return last.charAt(last.length() - 1);
    }

    /** Whether it is the refusal of READ ONLY transactions on Satellites that docs/limits.md describes. */
    boolean isRefusedOnSatellite() {
        return lines.stream()
                .anyMatch(line -> line.startsWith("ErrorResponse ERROR 0A000 cannot execute on a satellite within"));
    }

    /**
     * Whether the statement has failed on both servers, though one may have sent more messages before. On Multimed, a statement
     * that is no longer valid fails at the first request for it. On PostgreSQL it fails only behind the description or the
     * conversion of its parameters (docs/limits.md describes this), or with XX000 if a type of its parameters is gone. A
     * generic plan fails later than one for these parameters.
     */
    boolean hasFailedBefore(StepAnswer other) {
        boolean same = failed()
                && lines.subList(lines.size() - 2, lines.size())
                        .equals(other.lines.subList(other.lines.size() - 2, other.lines.size()));
        boolean invalid = sqlState().startsWith("42")
                && (other.sqlState().startsWith("22")
                        || other.sqlState().startsWith("42")
                        || other.sqlState().equals("XX000"));
        boolean changed = sqlState().equals("0A000")
                && (other.sqlState().equals("0A000") || other.sqlState().startsWith("22"));
        return (same || invalid || changed) && status() == other.status();
    }

    private String sqlState() {
        return lines.stream()
                .filter(line -> line.startsWith("ErrorResponse"))
                .map(line -> line.split(" ")[2])
                .findFirst()
                .orElse("");
    }

    boolean failed() {
        return lines.stream().anyMatch(line -> line.startsWith("ErrorResponse"));
    }

    List<String> lines() {
        return lines;
    }

    /**
     * Whether the other server has given the same answer.
     *
     * @param types of the other server for those of this one; pairs at the same places are added
     */
    boolean isLike(StepAnswer other, Map<Long, Long> types) {
        if (!lines.equals(other.lines)) {
            return false;
        }
        Map<Long, Long> now = new HashMap<>(types);
        for (int i = 0; i < userTypes.size(); i++) {
            Long known = now.putIfAbsent(userTypes.get(i), other.userTypes.get(i));
            if (known != null && !known.equals(other.userTypes.get(i))) {
                return false;
            }
        }
        types.putAll(now);
        return true;
    }

    @Override
    public String toString() {
        return String.join("; ", lines) + (userTypes.isEmpty() ? "" : " user-defined types " + userTypes);
    }
}
