package io.multimed.endpoint.pg.session.placing;

import io.multimed.core.dispatch.Reason;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.sql.Isolation;
import io.multimed.sql.NotRead;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Set;

/** Decides from the statements of a unit, and the block in which they run, whether a Satellite may execute it. Pure. */
final class AccessRules {
    /** Settings in which nodes differ by their nature: SHOW of them belongs to the Master even in a block elsewhere. */
    private static final Set<String> DIFFER_BETWEEN_NODES = Set.of(
            "all",
            "cluster_name",
            "config_file",
            "data_directory",
            "external_pid_file",
            "fsync",
            "full_page_writes",
            "hba_file",
            "hot_standby",
            "hot_standby_feedback",
            "ident_file",
            "in_hot_standby",
            "max_standby_streaming_delay",
            "port",
            "primary_conninfo",
            "primary_slot_name",
            "shared_buffers",
            "synchronous_commit",
            "synchronous_standby_names",
            "transaction_read_only",
            "unix_socket_directories",
            "wal_level");

    private AccessRules() {}

    /** @param failed the block has, as far as its engine has told */
    static Access of(List<Statement> statements, TransactionBlock block, SessionDefaults defaults, boolean failed) {
        boolean inBlock = block.isOpen();
        boolean readOnly = inBlock ? block.isReadOnly() : defaults.readOnly();
        Isolation isolation = inBlock ? block.isolation() : defaults.isolation();
        for (Statement statement : statements) {
            switch (statement) {
                case Statement.Begin begin -> {
                    // Within a block it warns, and sets what it names.
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
                        // Its end too: a Satellite cannot even begin it.
                        return mayWrite();
                    }
                    if (statement.endsTransaction()) {
                        inBlock = TransactionBlock.chains(statement);
                        if (!inBlock) {
                            isolation = defaults.isolation();
                        } else if (failed) {
                            TransactionBlock.Course chained = block.chainedToFailure(defaults);
                            readOnly = chained.readOnly();
                            isolation = chained.isolation();
                        }
                        failed = false;
                    }
                }
            }
            if (inBlock && !readOnly) {
                return mayWrite();
            }
            if (isolation == Isolation.SERIALIZABLE) {
                return Access.master(Reason.SERIALIZABLE, "serializable");
            }
        }
        return Access.READ;
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
            case Statement.Show show ->
                inBlock && !DIFFER_BETWEEN_NODES.contains(show.name())
                        ? Access.READ
                        : Access.master(Reason.MASTER_ONLY, "shows a setting");
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
