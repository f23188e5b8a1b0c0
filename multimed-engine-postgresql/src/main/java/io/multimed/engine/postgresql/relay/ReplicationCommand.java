package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.wire.Lsn;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A request of a walreceiver (manual: Streaming Replication Protocol). */
sealed interface ReplicationCommand {
    record IdentifySystem() implements ReplicationCommand {}

    record TimelineHistory(int timeline) implements ReplicationCommand {}

    record Show(String setting) implements ReplicationCommand {}

    /** @param timeline 0 if none was named */
    record StartReplication(long position, int timeline) implements ReplicationCommand {}

    record Unsupported(String text) implements ReplicationCommand {}

    Pattern START = Pattern.compile(
            "START_REPLICATION(?:\\s+SLOT\\s+(?:\"[^\"]*\"|\\S+))?(?:\\s+PHYSICAL)?"
                    + "\\s+([0-9A-F]{1,8}/[0-9A-F]{1,8})(?:\\s+TIMELINE\\s+(\\d{1,10}))?",
            Pattern.CASE_INSENSITIVE);
    Pattern HISTORY = Pattern.compile("TIMELINE_HISTORY\\s+(\\d{1,10})", Pattern.CASE_INSENSITIVE);
    Pattern SHOW = Pattern.compile("SHOW\\s+(\\w+)", Pattern.CASE_INSENSITIVE);

    static ReplicationCommand parse(String text) {
        String command = text.strip();
        if (command.endsWith(";")) {
            command = command.substring(0, command.length() - 1).strip();
        }
        try {
            if (command.equalsIgnoreCase("IDENTIFY_SYSTEM")) {
                return new IdentifySystem();
            }
            Matcher start = START.matcher(command);
            if (start.matches()) {
                String timeline = start.group(2);
                return new StartReplication(
                        Lsn.parse(start.group(1)), timeline == null ? 0 : Integer.parseUnsignedInt(timeline));
            }
            Matcher history = HISTORY.matcher(command);
            if (history.matches()) {
                return new TimelineHistory(Integer.parseUnsignedInt(history.group(1)));
            }
            Matcher show = SHOW.matcher(command);
            if (show.matches()) {
                return new Show(show.group(1));
            }
        } catch (IllegalArgumentException e) {
            return new Unsupported(command);
        }
        return new Unsupported(command);
    }
}
