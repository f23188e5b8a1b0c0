package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.block.HoldersOfBlock;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import io.multimed.endpoint.pg.session.reads.ReadCosts;
import io.multimed.endpoint.pg.session.settings.Placeholders;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The information about the unit at the head of the client's input while it waits to be sent.
 *
 * <p>It has more fields and lines than other classes, since all of them are about one unit and are reset together.
 */
public final class Unit {
    /** The effects of a unit on which later units rely, apart from its reply. */
    public enum Leaves {
        NOTHING,
        /** The unit has prepared statements under names that were free. */
        STATEMENTS,
        /** The effect is not known, or the unit has not arrived completely. */
        ANYTHING
    }

    /** PostgreSQL's own error for a cancelled statement. */
    public static final ErrorFields CANCELLED =
            ErrorFields.error(SqlState.QUERY_CANCELED, "canceling statement due to user request");

    /** Most bytes of a unit that may be sent behind the units of other sessions. */
    public static final int MOST_BRIEF_BYTES = 4096;

    private final AskedTexts asked = new AskedTexts();
    private boolean hasAsked;
    private final Admission admission;
    private final ReadCosts costs;

    /** The error with which it is refused instead of sent; null unless that was decided while it waited. */
    private @Nullable ErrorFields stopped;

    /** The error with which it fails although it was placed; null if there is none. */
    private @Nullable ErrorFields refusal;

    /** Whether the session was given its connection for it. */
    boolean isServed;

    /** Number of units that have been at the head of the input. */
    private long number;

    List<Statement> statements = List.of();
    /** The statements of the unit that was sent last. */
    private List<Statement> last = List.of();

    /** The routing rule that decides where it may run, if it only reads; null if there is none. */
    @Nullable
    ReadRule rule;

    private boolean waitsForRule;

    /** Whether it is a plain read outside a block, in a session without anything that concerns it. */
    boolean isPlain;

    /** Whether it is short, complete and only reads, so that it may be sent behind the units of other sessions. */
    boolean isBrief;

    /** Expected processor time in nanoseconds if it only reads; 0 if it is expected to be short. */
    long expectedNanos;

    /** Whether its processor time is to be measured, for which it needs a connection to itself. */
    boolean isTimed;

    /** Whether one execution may serve several sessions that ask the same. */
    boolean isCoalescable;

    /** Length in bytes. */
    int length;

    /** Whether it may run as a transaction of its own, although a block is open or the unit opens one. */
    boolean suitsOwnTransaction;

    /** The statements prepared earlier that it uses by name. */
    private List<PreparedStatement> uses = List.of();

    /** Names of parameters that its functions create before any part of the unit can ask for them. */
    private List<String> created = List.of();

    /** Whether it has waited behind others in vain. */
    private boolean wasDisplaced;

    public Unit(Admission admission, ReadCosts costs) {
        this.admission = admission;
        this.costs = costs;
    }

    /**
     * Records the result of an examination of the unit.
     *
     * @param bytes length of the whole unit
     * @param leaves the effects on which later units may rely
     * @param alike whether there is room for the statements that it prepares even if no engine is asked, so that another session's
     *     reply can answer it
     * @param inBlock whether it is the first of a block whose BEGIN has to be sent to an engine, unless {@code suits}
     * @param named the statements prepared earlier that it uses
     * @param suits whether it may run as a transaction of its own within a block
     */
    public void seen(
            int bytes, Leaves leaves, boolean alike, boolean inBlock, List<PreparedStatement> named, boolean suits) {
        isPlain = false;
        rule = null;
        length = bytes;
        uses = named;
        suitsOwnTransaction = suits;
        boolean reads = leaves != Leaves.ANYTHING && bytes <= MOST_BRIEF_BYTES && (suits || areReads(statements));
        expectedNanos = reads ? costs.expectedNanos(statements) : 0;
        isTimed = reads && (costs.areToBeTimed(statements) || expectedNanos > 0);
        isBrief = reads && leaves == Leaves.NOTHING && expectedNanos == 0 && !isTimed && !wasDisplaced;
        isCoalescable = reads && alike && (suits || (!inBlock && areTheSameForAll()));
    }

    /**
     * Records the result of an examination of a plain read.
     *
     * @param found its statements, all of which only read
     * @param bytes length of the whole unit, at most {@link #MOST_BRIEF_BYTES}
     * @param used the statement prepared earlier that it uses; null if it uses none
     */
    public void seenPlain(List<Statement> found, int bytes, @Nullable PreparedStatement used) {
        isPlain = true;
        rule = null;
        statements = found;
        length = bytes;
        uses = used == null ? List.of() : List.of(used);
        suitsOwnTransaction = false;
        expectedNanos = costs.expectedNanos(found);
        isTimed = expectedNanos > 0 || costs.areToBeTimed(found);
        isBrief = expectedNanos == 0 && !isTimed && !wasDisplaced;
        isCoalescable = areTheSameForAll();
    }

    /**
     * Sets its needs besides its freshness, if it only reads.
     *
     * @param holders the partial Satellites that hold all that it needs, as bits
     */
    void setNeeds(long holders) {
        ReadNeeds needs = admission.needs();
        if (!isPlain && !suitsOwnTransaction && !areReads(statements)) {
            setNeedsOfBlock(needs, holders);
            return;
        }
        needs.set(holders, expectedLength());
        if (expectedNanos > 0) {
            costs.compareNodes(statements, holders, needs);
        }
    }

    /** Sets the needs by the first read, or the query of a cursor, which begins a part of a block on one node. */
    private void setNeedsOfBlock(ReadNeeds needs, long holders) {
        Statement first = HoldersOfBlock.firstRead(statements);
        if (first == null || length > MOST_BRIEF_BYTES) {
            needs.set(holders, ReadNeeds.Length.SHORT);
            return;
        }
        List<Statement> read = List.of(first);
        boolean isLong = costs.expectedNanos(read) > 0;
        boolean isKnown = isLong || costs.isMeasured(read);
        needs.set(
                holders, isLong ? ReadNeeds.Length.LONG : isKnown ? ReadNeeds.Length.SHORT : ReadNeeds.Length.UNKNOWN);
        if (isLong) {
            costs.compareNodes(read, holders, needs);
        }
    }

    /** Returns its expected processor time on the node, in nanoseconds, if it only reads; 0 if it is expected to be short everywhere. */
    long expectedNanosOn(ComputationalNode node) {
        return expectedNanos == 0
                ? 0
                : costs.expectedNanosOn(statements, node.contents().bit(), expectedNanos);
    }

    private ReadNeeds.Length expectedLength() {
        return expectedNanos > 0 ? ReadNeeds.Length.LONG : isTimed ? ReadNeeds.Length.UNKNOWN : ReadNeeds.Length.SHORT;
    }

    /** Returns the costs that would be expected of a unit with these statements, of a length in bytes. */
    ReadCosts.Expectation expectation(List<Statement> of, int bytes) {
        return bytes <= MOST_BRIEF_BYTES && areReads(of) ? costs.expectation(of) : ReadCosts.Expectation.NONE;
    }

    /** Sets the needs of a unit with these statements and costs: see {@link #setNeeds}. */
    void setNeeds(ReadNeeds needs, List<Statement> of, ReadCosts.Expectation cost, long holders) {
        needs.set(holders, length(cost));
        if (cost.nanos() > 0) {
            costs.wouldCompareNodes(of, holders, needs);
        }
    }

    /** Returns the mean of the processor times of such statements on the node; 0 if too few were measured. */
    long meanNanosOn(List<Statement> of, ComputationalNode node) {
        return costs.meanNanosOn(of, node.contents().bit());
    }

    /** Returns the {@link #expectedLength} of a unit with these costs. */
    static ReadNeeds.Length length(ReadCosts.Expectation cost) {
        return cost.nanos() > 0
                ? ReadNeeds.Length.LONG
                : cost.isToBeTimed() ? ReadNeeds.Length.UNKNOWN : ReadNeeds.Length.SHORT;
    }

    /** Returns the partial Satellites that hold all that it needs, as bits, if it is a plain read. */
    long holdersOfPlain() {
        long holders = -1;
        for (int i = 0; i < statements.size(); i++) {
            holders &= statements.get(i) instanceof Statement.Read read ? read.holders() : 0;
        }
        return holders;
    }

    private static boolean areReads(List<Statement> of) {
        for (int i = 0; i < of.size(); i++) {
            if (!(of.get(i) instanceof Statement.Read)) {
                return false;
            }
        }
        return !of.isEmpty();
    }

    /** Whether the result does not depend on which of several simultaneous sessions executes the statements. */
    private boolean areTheSameForAll() {
        for (int i = 0; i < statements.size(); i++) {
            if (!(statements.get(i) instanceof Statement.Read read) || read.momentary()) {
                return false;
            }
        }
        return true;
    }

    /** The statements that it executes. */
    public List<Statement> statements() {
        return statements;
    }

    /** Sets the statements that it executes. */
    public void statements(List<Statement> found) {
        statements = found;
    }

    /** Whether it consists of a BEGIN that does not say whether the block is READ ONLY. */
    boolean isUndeclaredBegin() {
        return statements.size() == 1
                && statements.getFirst() instanceof Statement.Begin begin
                && begin.readOnly().isEmpty();
    }

    /** Whether its first statement is of a kind that Multimed itself may answer. */
    public boolean mayNeedNoEngine() {
        return !statements.isEmpty()
                && switch (statements.getFirst()) {
                    case Statement.Show ignored -> true;
                    case Statement.Listen ignored -> true;
                    case Statement.Unlisten ignored -> true;
                    case Statement.Begin ignored -> true;
                    case Statement.Commit ignored -> true;
                    case Statement.Rollback ignored -> true;
                    case Statement.ExplainPlacement ignored -> true;
                    default -> false;
                };
    }

    /** Length in bytes, once it has been {@link #seen}. */
    public int length() {
        return length;
    }

    /** Whether it is short, complete and only reads, so that it may be sent behind the units of other sessions. */
    public boolean isBrief() {
        return isBrief;
    }

    /** Whether it may run as a transaction of its own, although a block is open or the unit opens one. */
    public boolean suitsOwnTransaction() {
        return suitsOwnTransaction;
    }

    /** Sets the names of parameters that its functions create before any part of the unit can ask whether they exist. */
    public void creates(List<String> names) {
        created = names;
    }

    /** Names of parameters that it creates before any part of it can ask whether they exist. */
    List<String> created() {
        return created.isEmpty() ? Placeholders.createdFirst(statements) : created;
    }

    /** The error with which it is refused instead of sent; null unless that was decided while it waited. */
    public @Nullable ErrorFields stopped() {
        return stopped;
    }

    /** Refuses it instead of sending it, for example because the client cancels it while it waits. */
    public void stop(ErrorFields why) {
        stopped = why;
    }

    /** Lets it fail although it is placed; does not if {@code why} is null. */
    public void refuse(@Nullable ErrorFields why) {
        refusal = why;
    }

    /** The error with which it must fail although it was placed; null if there is none. Resets the answer. */
    public @Nullable ErrorFields takeRefusal() {
        ErrorFields answer = refusal;
        refusal = null;
        return answer;
    }

    /** Cancels it while it waits. */
    public void cancel() {
        stop(CANCELLED);
    }

    /** A number that differs for each unit. */
    public long number() {
        return number;
    }

    /** Notes that it has waited behind others in vain. */
    public void displaced() {
        wasDisplaced = true;
    }

    /** Whether it uses statements prepared earlier. */
    public boolean usesPrepared() {
        return !uses.isEmpty();
    }

    boolean isPreparedOn(PreparedOnBackend prepared) {
        for (int i = 0; i < uses.size(); i++) {
            PreparedStatement statement = uses.get(i);
            if (statement.isStreamed() || (!statement.engineName().isEmpty() && !prepared.holds(statement))) {
                return false;
            }
        }
        return true;
    }

    /** The conditions under which its transaction may begin or take its next snapshot. */
    public Admission admission() {
        return admission;
    }

    /** Its inquiries to the parser. */
    public AskedTexts asked() {
        hasAsked = true;
        return asked;
    }

    /**
     * Notes that it waits for the node of its rule. Meanwhile the catalog may change, so that it has to be understood anew; it may take
     * its time for that, since the Master would execute what is not understood.
     */
    void waitsForRule() {
        waitsForRule = true;
        if (hasAsked) {
            asked.reset();
        }
    }

    /** Whether it has waited for the node of its rule, which keeps it from the Master. */
    public boolean hasWaitedForRule() {
        return waitsForRule;
    }

    /** Whether it may have made inquiries to the parser. */
    public boolean hasAsked() {
        return hasAsked;
    }

    /** Notes that it has been sent, or answered as if it were. */
    public void sent() {
        last = statements;
        reset();
    }

    /** The statements of the unit that was sent last. */
    public List<Statement> lastSent() {
        return last;
    }

    /** Resets everything for the next unit at the head of the input. */
    public void reset() {
        if (hasAsked) {
            asked.reset();
            hasAsked = false;
        }
        admission.reset();
        stopped = null;
        refusal = null;
        isServed = false;
        number++;
        statements = List.of();
        isPlain = false;
        waitsForRule = false;
        rule = null;
        isBrief = false;
        expectedNanos = 0;
        isTimed = false;
        isCoalescable = false;
        length = 0;
        suitsOwnTransaction = false;
        uses = List.of();
        created = List.of();
        wasDisplaced = false;
    }
}
