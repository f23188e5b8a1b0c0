package io.multimed.endpoint.mysql.session;

import io.multimed.core.counters.RouteCounters;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.sql.mysql.MysqlStatement;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The nodes on which the session's transactions run, with the reasons: each is counted, and the latest one can be shown to the client.
 */
final class SessionPlacements {
    private static final Pattern CONTROLS_SESSION =
            Pattern.compile("(?i)\\s*(?:SHOW|SET|USE|KILL|DESC|DESCRIBE|EXPLAIN|HELP|DO)\\b");
    private static final Pattern QUERY = Pattern.compile("(?i)[\\s(]*(?:SELECT|WITH|VALUES|TABLE)\\b");

    private final MysqlSession session;
    private final RouteCounters counters;
    private @Nullable ComputationalNode node;
    private Reason reason = Reason.UPDATE;
    private String because = "";
    private boolean isOpenOnMaster;
    private boolean awaitsVisibility;

    SessionPlacements(MysqlSession session) {
        this.session = session;
        counters = session.loop().counters();
    }

    /**
     * Records that a Satellite has answered a read.
     *
     * @param isFirst whether it is the first one of its transaction
     */
    void answeredBy(ComputationalNode satellite, boolean isFirst) {
        is(satellite, Reason.FRESH_SATELLITE, "");
        if (isFirst) {
            counters.placed(Reason.FRESH_SATELLITE);
        }
        counters.query();
    }

    private void is(ComputationalNode placedOn, Reason why, String moreWords) {
        node = placedOn;
        reason = why;
        because = moreWords;
    }

    /** Records that the wait for a Satellite that is fresh enough is over. */
    void waitedForFreshness() {
        long now = System.nanoTime();
        counters.waitedForFreshness(now - session.admission().arrive(now));
    }

    /** Records that the present command waits until the Master shows what Satellites have shown. */
    void awaitsVisibility() {
        if (!awaitsVisibility) {
            awaitsVisibility = true;
            counters.waitedForVisibility();
        }
    }

    /**
     * Records that the Master executes a command.
     *
     * @param declaresReadOnly whether it starts a transaction that is READ ONLY, whose first read decides
     * @param isSpecial whether the session has set something for this transaction alone
     * @param block the present transaction that is READ ONLY; null if there is none
     */
    void beginsOnMaster(
            int command,
            MysqlStatement statement,
            boolean declaresReadOnly,
            boolean isSpecial,
            @Nullable ReadOnlyBlock block,
            SatelliteReads satellites) {
        boolean isEnd = statement.boundary() == MysqlStatement.Boundary.ENDS;
        boolean isAside = block != null && !block.isOnMaster() && statement.readsNoRows();
        if (!isStatement(command) || isOpenOnMaster || isEnd || declaresReadOnly || isAside) {
            return;
        }
        ComputationalNode master = session.loop().services().admission().nodes().master();
        Reason known = session.admission().masterReason();
        if (known != null) {
            is(master, known, "");
        } else if (statement.isRead()) {
            isRead(master, statement, isSpecial, satellites);
        } else {
            is(master, reasonOf(command, statement), "");
        }
        isOpenOnMaster = true;
        master.transactionBegan();
        counters.placed(reason);
    }

    private static boolean isStatement(int command) {
        return command == MysqlCommand.QUERY
                || command == MysqlCommand.STMT_EXECUTE
                || command == MysqlCommand.STMT_BULK_EXECUTE;
    }

    private void isRead(
            ComputationalNode master, MysqlStatement statement, boolean isSpecial, SatelliteReads satellites) {
        SessionState state = session.state();
        String pinned = state.pinned();
        if (satellites.choices().areOnMaster()) {
            is(master, Reason.CHOSEN, "multimed.reads");
        } else if (pinned != null) {
            is(master, Reason.PINNED, pinned);
        } else if (session.loop().services().admission().nodes().satellites().isEmpty()) {
            is(master, Reason.NO_SATELLITE, "");
        } else if (!satellites.isPasswordKnown()) {
            is(master, Reason.MASTER_ONLY, "the account has a plugin that Satellites cannot be told");
        } else if (statement.concernsLastStatement()) {
            is(master, Reason.MASTER_ONLY, "asks for what the last statement has left");
        } else if (isSpecial || state.isInTransaction() || !state.isAutocommit()) {
            is(master, Reason.UPDATE, "");
        } else if (!satellites.areTold()) {
            is(master, Reason.PINNED, "the session has settings that Satellites cannot be told");
        } else {
            is(master, Reason.SESSION_CONTROL, "the Master has to hear of the session from time to time");
        }
    }

    private Reason reasonOf(int command, MysqlStatement statement) {
        if (command != MysqlCommand.QUERY || statement.boundary() != MysqlStatement.Boundary.NONE) {
            return Reason.UPDATE;
        }
        String text = session.state().text();
        if (CONTROLS_SESSION.matcher(text).lookingAt()) {
            return Reason.SESSION_CONTROL;
        }
        return QUERY.matcher(text).lookingAt() ? Reason.UNCLASSIFIED : Reason.UPDATE;
    }

    /** Records that the Master has answered a command. */
    void masterReplied(int command) {
        if (isStatement(command)) {
            counters.query();
        }
        awaitsVisibility = false;
        if (isOpenOnMaster && !session.state().isInTransaction()) {
            close();
        }
    }

    /** Records that nothing of the session runs on the Master any more. */
    void close() {
        if (isOpenOnMaster) {
            isOpenOnMaster = false;
            session.loop().services().admission().nodes().master().transactionEnded();
        }
    }

    /** Returns the node and the reason of the latest placement, for the client. */
    String text() {
        if (node == null) {
            return "none yet";
        }
        String told = node.id().name() + ": " + reason.text();
        return because.isEmpty() ? told : told + " (" + because + ")";
    }
}
