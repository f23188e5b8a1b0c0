package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.endpoint.pg.session.block.BlockCourse;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.TransactionEnds;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import io.multimed.endpoint.pg.session.settings.ChosenSettings;
import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.sql.Isolation;
import io.multimed.sql.NotRead;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides from the statements of a unit, and the block in which they run, whether a Satellite may execute it. */
public final class AccessRules {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final SessionVariables variables;
    private final ChosenSettings chosen;
    /** Stored in a field, since every unit needs it. */
    private final Predicate<String> shownAlike;

    /**
     * Creates the rules for the units of a session.
     *
     * @param settingsOfNodes the settings that the configuration sets differently for some nodes
     */
    public AccessRules(
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            SessionVariables variables,
            ChosenSettings chosen,
            Set<String> settingsOfNodes) {
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.variables = variables;
        this.chosen = chosen;
        shownAlike = new ShownSettings(variables, block, settingsOfNodes)::isAlike;
    }

    /** Returns the access that the statements of the session's next unit need. */
    Access of(List<Statement> statements) {
        Access access = of(statements, block, variables.defaults(), deferred.status() == 'E', shownAlike);
        boolean inBlockSomewhere = exchange.isBound() && block.isOpen();
        return access.isRead() && chosen.readsOnMaster() && !inBlockSomewhere ? Access.CHOSEN : access;
    }

    /**
     * Returns the partial Satellites on which the session's next unit may run, as bits: they hold all that it needs, and its block will
     * not have to leave them if it cannot.
     *
     * @param own whether it runs as a transaction of its own
     * @param rule that sends it somewhere; null if there is none
     */
    long holders(List<Statement> statements, boolean own, @Nullable ReadRule rule) {
        boolean begun = block.isOpen() && exchange.isBound() && !exchange.isOwnTransaction();
        boolean stays = begun && !block.isMovable();
        long holders = HoldersOfUnit.of(statements, stays);
        if (own || stays || (holders & NodeContents.PARTIAL_BITS) == 0) {
            return holders;
        }
        ComputationalNode sentTo = rule == null ? null : rule.destination().node();
        return holders
                & HoldersOfUnit.expected(
                        statements,
                        block,
                        variables.defaults().isolation(),
                        chosen.snapshotPerTransaction(),
                        sentTo == null ? 0 : sentTo.contents().bit());
    }

    /**
     * Returns the access that the statements need. Pure.
     *
     * @param failed whether the block has failed, as far as its engine has reported
     * @param alike whether a Satellite shows the setting of this name as the Master does
     */
    static Access of(
            List<Statement> statements,
            TransactionBlock block,
            SessionDefaults defaults,
            boolean failed,
            Predicate<String> alike) {
        boolean inBlock = block.isOpen();
        boolean readOnly = inBlock ? block.isReadOnly() : defaults.readOnly();
        Isolation isolation = inBlock ? block.isolation() : defaults.isolation();
        boolean over = false;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            over = false;
            switch (statement) {
                case Statement.Show show -> {
                    Boolean set = setBefore(show.name(), statements, i);
                    if (!inBlock || !(set == null ? alike.test(show.name()) : set)) {
                        return Access.master(Reason.MASTER_ONLY, "shows a setting");
                    }
                }
                case Statement.Begin begin -> {
                    // Within a block, BEGIN gives a warning and sets the characteristics that it names.
                    readOnly = begin.readOnly().orElse(inBlock ? readOnly : defaults.readOnly());
                    isolation = begin.isolation().orElse(inBlock ? isolation : defaults.isolation());
                    inBlock = true;
                }
                case Statement.SetTransaction set -> {
                    if (!inBlock || set.importsSnapshot()) {
                        return control();
                    }
                    readOnly = set.readOnly().orElse(readOnly);
                    isolation = set.isolation().orElse(isolation);
                }
                default -> {
                    Access access = of(statement, inBlock);
                    if (!access.isRead()) {
                        return access;
                    }
                    if (inBlock && !readOnly) {
                        // This applies to its end too, since a Satellite cannot even begin such a block.
                        return mayWrite();
                    }
                    if (statement.endsTransaction()) {
                        inBlock = TransactionEnds.chains(statement);
                        over = !inBlock;
                        if (over) {
                            isolation = defaults.isolation();
                        } else if (failed) {
                            BlockCourse chained = block.chainedToFailure(defaults);
                            readOnly = chained.readOnly();
                            isolation = chained.isolation();
                        }
                        failed = false;
                    }
                }
            }
            // The engine of a block can always end it. The defaults apply after the end.
            Access access = over ? Access.READ : within(inBlock, readOnly, isolation);
            if (!access.isRead()) {
                return access;
            }
        }
        // This also applies to messages that execute nothing, since BEGIN is sent to an engine before those too.
        return over ? Access.READ : within(inBlock, readOnly, isolation);
    }

    /** Whether a Satellite can execute statements in a transaction with these characteristics. */
    private static Access within(boolean inBlock, boolean readOnly, Isolation isolation) {
        if (inBlock && !readOnly) {
            return mayWrite();
        }
        return isolation == Isolation.SERIALIZABLE ? Access.master(Reason.SERIALIZABLE, "serializable") : Access.READ;
    }

    /** Whether the last of the first {@code count} statements that sets the parameter gives it a value; null if none sets it. */
    private static @Nullable Boolean setBefore(String name, List<Statement> statements, int count) {
        for (int i = count - 1; i >= 0; i--) {
            if (statements.get(i) instanceof Statement.Set set && set.name().equals(name)) {
                return set.value() != null;
            }
        }
        return null;
    }

    private static Access of(Statement statement, boolean inBlock) {
        return switch (statement) {
            case Statement.Read ignored -> Access.READ;
            case Statement.Empty ignored -> Access.READ;
            case Statement.Update update ->
                inBlock && update.reason() == NotRead.WRITES
                        ? Access.READ
                        : Access.master(reason(update.reason()), update.because());
            case Statement.DatabaseCommand ignored -> Access.master(Reason.UPDATE, "DATABASE");
            case Statement.CreateTablespace ignored -> Access.master(Reason.UPDATE, "CREATE TABLESPACE");
            case Statement.Show ignored -> control();
            case Statement.DeclareCursor cursor -> cursor.hold() || !inBlock ? control() : of(cursor.query(), true);
            case Statement.Commit ignored -> blockControl(inBlock);
            case Statement.Rollback ignored -> blockControl(inBlock);
            case Statement.Savepoint ignored -> blockControl(inBlock);
            case Statement.RollbackTo ignored -> blockControl(inBlock);
            case Statement.Release ignored -> blockControl(inBlock);
            case Statement.Fetch ignored -> blockControl(inBlock);
            case Statement.CloseCursor ignored -> blockControl(inBlock);
            case Statement.Set set ->
                set.name().equals("role") || set.name().equals("session_authorization")
                        ? control()
                        : blockControl(inBlock);
            case Statement.Reset ignored -> control();
            case Statement.Begin ignored -> control();
            case Statement.SetTransaction ignored -> control();
            case Statement.SetSessionCharacteristics ignored -> control();
            case Statement.PrepareTransaction ignored -> control();
            case Statement.Discard ignored -> control();
            case Statement.Prepare ignored -> control();
            case Statement.ExecutePrepared ignored -> control();
            case Statement.Deallocate ignored -> control();
            case Statement.Listen ignored -> control();
            case Statement.Unlisten ignored -> control();
            case Statement.ExplainPlacement ignored -> Access.master(Reason.MASTER_ONLY, "EXPLAIN");
        };
    }

    private static Access blockControl(boolean inBlock) {
        return inBlock ? Access.READ : control();
    }

    private static Access mayWrite() {
        return Access.master(Reason.UPDATE, "transaction not declared read-only");
    }

    private static Access control() {
        return Access.master(Reason.SESSION_CONTROL, "session control");
    }

    private static Reason reason(NotRead reason) {
        return switch (reason) {
            case WRITES, MAY_WRITE -> Reason.UPDATE;
            case UNPARSED -> Reason.UNCLASSIFIED;
            case MASTER_ONLY -> Reason.MASTER_ONLY;
        };
    }
}
