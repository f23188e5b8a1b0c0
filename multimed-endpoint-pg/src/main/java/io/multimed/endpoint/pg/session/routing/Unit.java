package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.reads.ReadCosts;
import io.multimed.endpoint.pg.session.settings.Placeholders;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has been found out about the unit at the head of the client's input while it waits to be sent. */
public final class Unit {
    /** Of what use a unit is to later ones, apart from its answer. */
    public enum Leaves {
        NOTHING,
        /** What it has prepared under names that were free. */
        STATEMENTS,
        /** That is not known, or it is not all there. */
        ANYTHING
    }

    /** In PostgreSQL's words. */
    public static final ErrorFields CANCELLED =
            ErrorFields.error(SqlState.QUERY_CANCELED, "canceling statement due to user request");

    /** A longer unit is not sent behind others'. */
    static final int MOST_BRIEF_BYTES = 4096;

    private final AskedTexts asked = new AskedTexts();
    private final Admission admission;

    /** Why it is refused instead of sent, if that was decided while it waited. */
    private @Nullable ErrorFields stopped;

    /** How many units have been at the head of the input. */
    private long number;

    List<Statement> statements = List.of();

    /** It is short, all of it is there, it only reads: it may be sent behind what others have sent. */
    boolean isBrief;

    /** How long it is expected to keep a processor busy if it only reads, in nanoseconds; 0 if that is short. */
    long expectedNanos;

    /** It is to be measured how long it keeps a processor busy, for which it must have a connection to itself. */
    boolean isTimed;

    /** If another session asks the same, one execution may do for both. */
    boolean isCoalescable;

    /** In bytes. */
    int length;

    /** What it reads may be a transaction of its own, although a block is open or opened by it. */
    boolean suitsOwnTransaction;

    /** The statements prepared before under names of which it makes use. */
    private List<PreparedStatement> uses = List.of();

    /** Names of parameters that its functions create before anything in it can ask for them. */
    private List<String> created = List.of();

    /** It has waited behind others in vain. */
    private boolean wasDisplaced;

    Unit(Admission admission) {
        this.admission = admission;
    }

    /**
     * It has been looked at.
     *
     * @param bytes all of it
     * @param leaves of what use it is to later units
     * @param alike there is room for what it prepares even if no engine is asked, as if another's answer is its own too
     * @param costs what is known of such statements
     * @param inBlock it is the first of a block of which an engine is to be told, unless it suits
     * @param named the statements prepared before of which it makes use
     * @param suits what it reads may be a transaction of its own within a block
     */
    public void seen(
            int bytes,
            Leaves leaves,
            boolean alike,
            ReadCosts costs,
            boolean inBlock,
            List<PreparedStatement> named,
            boolean suits) {
        length = bytes;
        uses = named;
        suitsOwnTransaction = suits;
        boolean reads = leaves != Leaves.ANYTHING && bytes <= MOST_BRIEF_BYTES && (suits || areReads());
        expectedNanos = reads ? costs.expectedNanos(statements) : 0;
        isTimed = reads && (costs.areToBeTimed(statements) || expectedNanos > 0);
        isBrief = reads && leaves == Leaves.NOTHING && expectedNanos == 0 && !isTimed && !wasDisplaced;
        isCoalescable = reads && alike && (suits || !inBlock && areTheSameForAll());
    }

    private boolean areReads() {
        for (int i = 0; i < statements.size(); i++) {
            if (!(statements.get(i) instanceof Statement.Read)) {
                return false;
            }
        }
        return !statements.isEmpty();
    }

    /** Whether it does not matter for whom of those who ask at the same time they are executed. */
    private boolean areTheSameForAll() {
        for (int i = 0; i < statements.size(); i++) {
            if (!(statements.get(i) instanceof Statement.Read read) || read.momentary()) {
                return false;
            }
        }
        return true;
    }

    /** What it executes. */
    public List<Statement> statements() {
        return statements;
    }

    /** What it executes has been found out. */
    public void statements(List<Statement> found) {
        statements = found;
    }

    /** In bytes, once it has been {@link #seen}. */
    public int length() {
        return length;
    }

    /** Whether it is short, all there and only reads: it may be sent behind what others have sent. */
    public boolean isBrief() {
        return isBrief;
    }

    /** How long it is expected to keep a processor busy if it only reads, in nanoseconds; 0 if that is short. */
    public long expectedNanos() {
        return expectedNanos;
    }

    /** Whether what it reads may be a transaction of its own, although a block is open or opened by it. */
    public boolean suitsOwnTransaction() {
        return suitsOwnTransaction;
    }

    /** Its functions create parameters of these names before anything in it can ask whether they exist. */
    public void creates(List<String> names) {
        created = names;
    }

    /** Names of parameters that it creates before anything in it can ask whether they exist. */
    List<String> created() {
        return created.isEmpty() ? Placeholders.createdFirst(statements) : created;
    }

    /** Why it is refused instead of sent, if that was decided while it waited; null if it was not. */
    public @Nullable ErrorFields stopped() {
        return stopped;
    }

    /** It is refused instead of sent: the client cancels it, say, while it waits. */
    public void stop(ErrorFields why) {
        stopped = why;
    }

    /** The client cancels it while it waits. */
    public void cancel() {
        stop(CANCELLED);
    }

    /** Another for each unit. */
    public long number() {
        return number;
    }

    /** It has waited behind others in vain. */
    public void displaced() {
        wasDisplaced = true;
    }

    /** Whether it makes use of statements prepared before. */
    public boolean usesPrepared() {
        return !uses.isEmpty();
    }

    boolean isPreparedOn(PreparedOnBackend prepared) {
        for (int i = 0; i < uses.size(); i++) {
            PreparedStatement statement = uses.get(i);
            if (statement.isStreamed() || !statement.engineName().isEmpty() && !prepared.holds(statement)) {
                return false;
            }
        }
        return true;
    }

    /** Where and when the transaction that it begins may begin, or its next snapshot be taken. */
    public Admission admission() {
        return admission;
    }

    /** Its inquiry to the parser. */
    public AskedTexts asked() {
        return asked;
    }

    /** Another unit is at the head of the input. */
    public void reset() {
        asked.reset();
        admission.reset();
        stopped = null;
        number++;
        statements = List.of();
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
