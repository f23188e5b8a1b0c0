package io.multimed.endpoint.pg.session.requests;

import io.multimed.protocol.pg.Frontend;

/**
 * The portals of a {@link Segment} that it shares with other units. Immutable.
 *
 * @param keeps whether later messages may use a portal of a query, because it has a name or may be executed further
 * @param usesEarlier whether it uses a portal that earlier messages have created
 * @param leaves whether it creates a portal that it does not execute, so that later messages must find it
 * @param leavesUnnamed whether the unnamed portal is the only one that it creates and does not execute, and it creates none with a
 *     name
 */
record SegmentPortals(boolean keeps, boolean usesEarlier, boolean leaves, boolean leavesUnnamed) {
    /**
     * Returns the portals of a segment.
     *
     * @param statements the statements of the segment
     */
    static SegmentPortals of(Segment segment, SegmentStatements statements) {
        int bound = 0;
        int executed = 0;
        boolean hasNames = false;
        boolean keeps = false;
        boolean usesEarlier = false;
        for (int i = 0; i < segment.messages().size(); i++) {
            switch (segment.messages().get(i)) {
                case SegmentMessage.Malformed malformed -> {
                    if (malformed.type() == Frontend.BIND) {
                        bound++;
                        hasNames = true;
                    }
                }
                case SegmentMessage.Bind bind -> {
                    bound++;
                    hasNames |= !bind.portal().isEmpty();
                }
                case SegmentMessage.DescribePortal ignored -> usesEarlier |= bound == 0;
                case SegmentMessage.Execute execute -> {
                    executed++;
                    usesEarlier |= bound == 0;
                    // A BEGIN has no rows, so the limit leaves nothing to be executed further.
                    keeps |= !execute.isToItsEnd() && !(executed == 1 && statements.beginBefore(i));
                }
                case SegmentMessage.Parse ignored -> {}
                case SegmentMessage.DescribeStatement ignored -> {}
                case SegmentMessage.Close ignored -> {}
                case SegmentMessage.Last ignored -> {}
            }
        }
        boolean ends = switch (segment.end()) {
            case SYNC, FLUSH, PAUSE -> true;
            case OTHER_KIND, MISSING -> false;
        };
        return new SegmentPortals(
                keeps || hasNames || (ends && bound > executed),
                usesEarlier,
                bound > executed,
                bound == executed + 1 && !hasNames);
    }
}
