package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import io.multimed.engine.postgresql.wire.Messages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conversation with the Master's walsender from the first byte until its identity is known: start-up, two settings,
 * IDENTIFY_SYSTEM, the history of its timeline. Pure: messages in, messages out.
 */
final class MasterHandshake {
    private enum Step {
        STARTUP("startup"),
        SEGMENT_SIZE("SHOW wal_segment_size"),
        PAGE_SIZE("SHOW wal_block_size"),
        IDENTIFY("IDENTIFY_SYSTEM"),
        HISTORY("TIMELINE_HISTORY"),
        DONE("");

        final String command;

        Step(String command) {
            this.command = command;
        }
    }

    private final Map<String, String> parameters = new HashMap<>();
    private Step step = Step.STARTUP;
    private List<byte[]> row = List.of();
    private int segmentSize;
    private int pageSize;
    private String systemId = "";
    private int timeline;
    private long flushed;
    private MasterIdentity.@Nullable History history;

    /**
     * Takes one message.
     *
     * @param body behind type and length
     * @return the message to send now, null for none
     * @throws MasterRefusedException if the Master does not go on
     */
    byte @Nullable [] on(char type, ByteBuffer body) throws MasterRefusedException {
        switch (type) {
            case 'R' -> {
                if (body.getInt() != 0) {
                    throw new MasterRefusedException("", "the master asks the relay for a password");
                }
            }
            case 'S' -> parameters.put(Messages.string(body), Messages.string(body));
            case 'D' -> row = columns(body);
            case 'E' -> {
                Messages.ServerError error = Messages.serverError(body);
                throw new MasterRefusedException(error.sqlState(), error.text());
            }
            case 'Z' -> {
                return next();
            }
            // These are keys for cancel requests, notices, row descriptions, completions.
            case 'K', 'N', 'T', 'C', 'v' -> {}
            default -> throw new MasterRefusedException("08P01", "unexpected message '" + type + "' from the master");
        }
        return null;
    }

    private byte @Nullable [] next() throws MasterRefusedException {
        try {
            takeRow();
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new MasterRefusedException("08P01", "the master's answer to " + step.command + " is not understood");
        }
        row = List.of();
        step = Step.values()[step.ordinal() + 1];
        if (step == Step.HISTORY && timeline == 1) {
            step = Step.DONE;
        }
        return switch (step) {
            case DONE -> null;
            case HISTORY -> Messages.query(step.command + " " + Integer.toUnsignedString(timeline));
            default -> Messages.query(step.command);
        };
    }

    private void takeRow() {
        switch (step) {
            case SEGMENT_SIZE -> segmentSize = bytes(text(0));
            case PAGE_SIZE -> pageSize = Integer.parseInt(text(0));
            case IDENTIFY -> {
                systemId = text(0);
                timeline = Integer.parseUnsignedInt(text(1));
                flushed = Lsn.parse(text(2));
            }
            case HISTORY -> history = new MasterIdentity.History(row.get(0), row.get(1));
            case STARTUP, DONE -> {}
        }
    }

    private String text(int column) {
        return new String(row.get(column), StandardCharsets.UTF_8);
    }

    /** Parses a size as SHOW writes it: a number with a unit. */
    private static int bytes(String size) {
        int unit = size.length();
        while (unit > 0 && !Character.isDigit(size.charAt(unit - 1))) {
            unit--;
        }
        int number = Integer.parseInt(size.substring(0, unit));
        return switch (size.substring(unit)) {
            case "" -> number;
            case "kB" -> Math.multiplyExact(number, 1 << 10);
            case "MB" -> Math.multiplyExact(number, 1 << 20);
            case "GB" -> Math.multiplyExact(number, 1 << 30);
            default -> throw new IllegalArgumentException("size " + size);
        };
    }

    private static List<byte[]> columns(ByteBuffer body) {
        List<byte[]> columns = new ArrayList<>();
        int count = body.getShort();
        for (int i = 0; i < count; i++) {
            byte[] value = new byte[Math.max(body.getInt(), 0)];
            body.get(value);
            columns.add(value);
        }
        return columns;
    }

    boolean done() {
        return step == Step.DONE;
    }

    /** Returns the Master's identity as learned in the handshake, once {@link #done}. */
    MasterIdentity identity() {
        return new MasterIdentity(systemId, timeline, flushed, segmentSize, pageSize, parameters, history);
    }
}
