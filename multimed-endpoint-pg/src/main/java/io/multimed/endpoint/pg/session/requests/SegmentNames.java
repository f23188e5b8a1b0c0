package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The names of prepared statements in a {@link Segment}: which statements of earlier units it uses, and what its preparations leave to
 * later units. Immutable once created.
 */
final class SegmentNames {
    /** The statements prepared earlier that the segment uses, except for a BEGIN. */
    private final List<PreparedStatement> uses = new ArrayList<>(0);
    /** For each used statement, the index of the message that uses it, from 0. */
    private final List<Integer> usedBy = new ArrayList<>(0);

    private final Set<String> prepared = new HashSet<>(0);
    private boolean namesNothing = true;
    /** Whether it prepares only unnamed statements and statements under names that were free, and closes nothing. */
    private boolean namesAnew = true;
    /** Whether it uses only statements that it has prepared itself. */
    private boolean onlyOwn = true;

    private SegmentNames() {}

    static SegmentNames of(Segment segment) {
        SegmentNames names = new SegmentNames();
        for (int i = 0; i < segment.messages().size(); i++) {
            names.add(segment.messages().get(i), i);
        }
        return names;
    }

    /** The statements prepared earlier that it uses, except for a BEGIN. */
    List<PreparedStatement> uses() {
        return List.copyOf(uses);
    }

    /** The index, from 0, of the first message that uses the statement. */
    int messageThatUses(PreparedStatement statement) {
        return usedBy.get(uses.indexOf(statement));
    }

    /** The effects of its preparations on which later units may rely. */
    Unit.Leaves leaves() {
        if (namesNothing) {
            return Unit.Leaves.NOTHING;
        }
        return namesAnew ? Unit.Leaves.STATEMENTS : Unit.Leaves.ANYTHING;
    }

    /** Whether earlier preparations do not matter to it, because it uses only statements that it prepares itself without a name. */
    boolean isSelfContained() {
        return namesNothing && onlyOwn;
    }

    private void add(SegmentMessage message, int index) {
        switch (message) {
            case SegmentMessage.Malformed malformed -> {
                if (malformed.type() == Frontend.BIND) {
                    onlyOwn = false;
                } else if (malformed.type() == Frontend.CLOSE) {
                    closes();
                }
            }
            case SegmentMessage.Parse parse -> {
                if (!parse.name().isEmpty()) {
                    boolean isFree =
                            ExtendedMessage.isText(parse.name()) && prepared.add(parse.name()) && !parse.isNameTaken();
                    namesNothing = false;
                    namesAnew &= isFree;
                }
            }
            case SegmentMessage.Bind bind -> uses(bind.statement(), index);
            case SegmentMessage.DescribeStatement describe -> uses(describe.statement(), index);
            case SegmentMessage.DescribePortal ignored -> {}
            case SegmentMessage.Execute ignored -> {}
            case SegmentMessage.Close ignored -> closes();
            case SegmentMessage.Last ignored -> {}
        }
    }

    private void closes() {
        namesNothing = false;
        namesAnew = false;
    }

    private void uses(SegmentMessage.Reference statement, int message) {
        onlyOwn &= statement.isOwn();
        ClassifiedSql sql = statement.sql();
        PreparedStatement earlier = statement.earlier();
        if (earlier != null && sql != null && !isBegin(sql.statements())) {
            uses.add(earlier);
            usedBy.add(message);
        }
    }

    private static boolean isBegin(List<Statement> statements) {
        return !statements.isEmpty() && statements.getFirst() instanceof Statement.Begin;
    }
}
