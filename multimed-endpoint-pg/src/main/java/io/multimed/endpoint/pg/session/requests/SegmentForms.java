package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.prepared.OwnMessages;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.sql.ClassifiedSql;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Forms of a {@link Segment} that can be answered without an engine, provided that its statements can. Pure. */
final class SegmentForms {
    private SegmentForms() {}

    /** Whether it prepares, binds and executes one statement after the other, all without names, and then synchronises. */
    static boolean isPlain(Segment segment) {
        int prepared = 0;
        int bound = 0;
        int executed = 0;
        for (int i = 0; i < segment.messages().size(); i++) {
            boolean fits = switch (segment.messages().get(i)) {
                case SegmentMessage.Parse parse -> {
                    prepared++;
                    yield parse.name().isEmpty() && parse.sql().statements().size() == 1;
                }
                case SegmentMessage.Bind bind -> {
                    bound++;
                    yield bind.portal().isEmpty()
                            && bind.statement().name().isEmpty()
                            && !bind.hasParameters()
                            && bound == prepared;
                }
                case SegmentMessage.Execute execute -> {
                    executed++;
                    yield execute.isUnnamed() && executed == bound;
                }
                case SegmentMessage.DescribeStatement ignored -> true;
                case SegmentMessage.DescribePortal ignored -> true;
                case SegmentMessage.Last ignored -> true;
                case SegmentMessage.Close ignored -> false;
                case SegmentMessage.Malformed ignored -> false;
            };
            if (!fits) {
                return false;
            }
        }
        return segment.endsWithSync() && prepared == bound && bound == executed;
    }

    /**
     * Whether it only creates an unnamed portal without parameters, executes it and synchronises, perhaps after preparing the
     * statement, and succeeds if the statement does.
     */
    static boolean isOneExecution(Segment segment) {
        int prepared = 0;
        int bound = 0;
        int executed = 0;
        for (int i = 0; i < segment.messages().size(); i++) {
            boolean fits = switch (segment.messages().get(i)) {
                case SegmentMessage.Parse parse -> {
                    prepared++;
                    yield bound == 0 && ExtendedMessage.isText(parse.name()) && !parse.isNameTaken();
                }
                case SegmentMessage.Bind bind -> {
                    bound++;
                    yield bind.portal().isEmpty() && !bind.hasParameters();
                }
                case SegmentMessage.DescribeStatement describe ->
                    describe.statement().isOwn();
                case SegmentMessage.DescribePortal describe ->
                    bound == 1 && describe.portal().isEmpty();
                case SegmentMessage.Execute execute -> {
                    executed++;
                    yield bound == 1 && execute.isUnnamed();
                }
                case SegmentMessage.Last ignored -> true;
                case SegmentMessage.Close ignored -> false;
                case SegmentMessage.Malformed ignored -> false;
            };
            if (!fits) {
                return false;
            }
        }
        return segment.endsWithSync() && prepared <= 1 && bound == 1 && executed == 1;
    }

    /**
     * Whether nothing can fail before its first Execute, whose statement needs no parameters: before, the segment only creates that
     * portal, perhaps after preparing the statement.
     */
    static boolean executesSurely(Segment segment) {
        int prepared = 0;
        String portal = null;
        for (int i = 0; i < segment.messages().size(); i++) {
            boolean fits = switch (segment.messages().get(i)) {
                case SegmentMessage.Parse parse -> {
                    prepared++;
                    yield prepared == 1
                            && portal == null
                            && ExtendedMessage.isText(parse.name())
                            && !parse.isNameTaken();
                }
                case SegmentMessage.Bind bind -> {
                    boolean isFirst = portal == null;
                    portal = bind.portal();
                    yield isFirst && !bind.hasParameters();
                }
                case SegmentMessage.DescribeStatement describe ->
                    describe.statement().isOwn();
                case SegmentMessage.DescribePortal describe -> describe.portal().equals(portal);
                default -> false;
            };
            if (!fits) {
                return segment.messages().get(i) instanceof SegmentMessage.Execute execute
                        && execute.portal().equals(portal);
            }
        }
        return false;
    }

    /** Whether it deals only with statements that Multimed itself answers, SHOW multimed.route and EXPLAIN (MULTIMED), and succeeds. */
    static boolean isOnlyOwn(Segment segment) {
        Set<String> portals = new HashSet<>(0);
        // Whether there is a statement of this name, as far as the segment has changed that.
        Map<String, Boolean> present = new HashMap<>(0);
        for (int i = 0; i < segment.messages().size(); i++) {
            boolean fits = switch (segment.messages().get(i)) {
                case SegmentMessage.Parse parse -> {
                    boolean isFree = parse.name().isEmpty()
                            || (ExtendedMessage.isText(parse.name())
                                    && !present.getOrDefault(parse.name(), parse.isNameTaken()));
                    present.put(parse.name(), true);
                    yield isFree && isOwn(parse.sql());
                }
                case SegmentMessage.Bind bind -> {
                    portals.add(bind.portal());
                    yield names(bind.statement(), present);
                }
                case SegmentMessage.DescribeStatement describe -> names(describe.statement(), present);
                case SegmentMessage.DescribePortal describe -> portals.contains(describe.portal());
                case SegmentMessage.Execute execute -> portals.contains(execute.portal());
                case SegmentMessage.Close close -> close.message().isWellFormed() && closes(close, portals, present);
                case SegmentMessage.Last last -> last.isWellFormed();
                case SegmentMessage.Malformed ignored -> false;
            };
            if (!fits) {
                return false;
            }
        }
        return segment.needsEngine();
    }

    private static boolean isOwn(@Nullable ClassifiedSql sql) {
        return sql != null && OwnMessages.areOwn(sql.statements());
    }

    private static boolean names(SegmentMessage.Reference statement, Map<String, Boolean> present) {
        return isOwn(statement.sql()) && present.getOrDefault(statement.name(), statement.earlier() != null);
    }

    /** Whether the Close is for a statement or portal that no engine holds. */
    private static boolean closes(SegmentMessage.Close close, Set<String> portals, Map<String, Boolean> present) {
        if (close.message().kind() != 'S') {
            return portals.remove(close.name());
        }
        boolean closes = !close.name().isEmpty() && present.getOrDefault(close.name(), close.isKnown());
        present.put(close.name(), false);
        return closes;
    }
}
