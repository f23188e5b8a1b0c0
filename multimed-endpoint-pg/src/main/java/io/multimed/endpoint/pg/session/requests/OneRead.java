package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A segment that executes one read and does nothing else: at most one Parse, of the unnamed statement; then one Bind, at most one
 * Describe and one Execute of the unnamed portal, to its end; then Sync. The Bind is for that statement, or for one prepared earlier
 * under a name. Most drivers send such segments.
 *
 * @param parse its Parse; null if it has none
 * @param used the statement prepared earlier that it binds; null if it prepares one
 * @param describes whether it describes the portal
 * @param length in bytes
 */
record OneRead(
        ExtendedMessage.@Nullable Parse parse,
        @Nullable PreparedStatement used,
        List<Statement> statements,
        boolean describes,
        int length) {
    /** Length of an Execute of the unnamed portal: the length itself, the name's terminator, and the number of rows. */
    static final int EXECUTE_LENGTH = 9;

    /** Returns the segment's read; null if the segment is anything else than one read. */
    static @Nullable OneRead of(Segment segment) {
        List<SegmentMessage> messages = segment.messages();
        int count = messages.size();
        if (count < 3 || count > 5 || !segment.endsWithSync() || !segment.isClassified()) {
            return null;
        }
        int at = 0;
        ExtendedMessage.Parse parse = null;
        if (messages.get(0) instanceof SegmentMessage.Parse(ExtendedMessage.Parse message, var _, var _)) {
            parse = message;
            at++;
        }
        if (!(messages.get(at++) instanceof SegmentMessage.Bind(String portal, var _, SegmentMessage.Reference bound))
                || !portal.isEmpty()) {
            return null;
        }
        boolean describes = messages.get(at) instanceof SegmentMessage.DescribePortal(byte kind, String described)
                && kind == 'P'
                && described.isEmpty();
        if (describes) {
            at++;
        }
        if (at != count - 2
                || !(messages.get(at)
                        instanceof SegmentMessage.Execute(var _, int length, boolean unnamed, boolean all))
                || length != EXECUTE_LENGTH
                || !unnamed
                || !all
                || !(messages.getLast() instanceof SegmentMessage.Last(var _, boolean wellFormed))
                || !wellFormed) {
            return null;
        }
        ClassifiedSql sql = bound.sql();
        PreparedStatement used = bound.earlier();
        boolean matches = parse == null
                ? used != null && !bound.name().isEmpty()
                : used == null && bound.name().isEmpty();
        if (!matches || sql == null || (parse != null && !parse.name().isEmpty()) || !areReads(sql.statements())) {
            return null;
        }
        return new OneRead(parse, used, sql.statements(), describes, segment.length());
    }

    /** Whether there are statements, and all of them only read. */
    static boolean areReads(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (!(statements.get(i) instanceof Statement.Read)) {
                return false;
            }
        }
        return !statements.isEmpty();
    }
}
