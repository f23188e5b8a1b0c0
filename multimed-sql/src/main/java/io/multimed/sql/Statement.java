package io.multimed.sql;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One statement, analysed as far as routing and session state need it. Immutable; contains no literal values of queries. */
public sealed interface Statement {

    /** Returns the effect that the statement leaves behind in the backend that executes it, if it succeeds. */
    SessionEffect effect();

    /** Whether a Satellite may execute the statement outside a transaction block. */
    default boolean isRead() {
        return false;
    }

    /** Whether the statement ends the transaction block in which it stands, if it succeeds. */
    default boolean endsTransaction() {
        return this instanceof Commit || this instanceof Rollback || this instanceof PrepareTransaction;
    }

    /**
     * A harmless statement, which may run on a Satellite: SELECT, WITH, VALUES, TABLE, or COPY (…) TO STDOUT of such a query. As
     * long as the classifier remembers a shape, it returns the same object for it, so the shape can be recognised by the object's
     * identity.
     *
     * @param momentary whether the result may depend on chance or on the moment at which the statement or its transaction
     *     began, and not only on its snapshot, its parameters and the session's user and settings. True in case of doubt. It does
     *     not cover values that denote a moment only after conversion, such as {@code 'now'} or {@code 'today'} converted to a
     *     date: literals are no part of a shape, nor are parameters and data.
     * @param holders bits of the partial Satellites that can answer it as the Master does: they hold every relation that it can
     *     read, and it depends on nothing else but its parameters, the session's user and settings, and the moment. 0 in case of
     *     doubt. {@link PartialTables#INDEXED_ANYWHERE} is among them if no node has indexes for it that the Master has not.
     * @param marks its marks for routing rules
     */
    record Read(boolean momentary, long holders, ReadMarks marks) implements Statement {
        /** Makes a read that no partial Satellite can answer. */
        public Read(boolean momentary) {
            this(momentary, 0);
        }

        /** Makes a read that no rule concerns. */
        public Read(boolean momentary, long holders) {
            this(momentary, holders, ReadMarks.NONE);
        }

        @Override
        public SessionEffect effect() {
            return SessionEffect.NONE;
        }

        @Override
        public boolean isRead() {
            return true;
        }
    }

    /**
     * A statement that is neither harmless nor session control. The Master executes it.
     *
     * @param because a few words for a person, such as {@code "calls nextval"}; not for decisions
     * @param asksSequence whether any part of it asks for the value that this session last took from a sequence (currval,
     *     lastval)
     * @param asksChannels whether any part of it asks for the channels to which this session listens
     * @param processes the server processes whose numbers any part of it may ask for
     * @param copiesIn whether it is COPY FROM STDIN: the engine then reads the data that the client sends next
     */
    record Update(
            NotRead reason,
            SessionEffect effect,
            String because,
            boolean asksSequence,
            boolean asksChannels,
            Processes processes,
            boolean copiesIn)
            implements Statement {
        public Update(NotRead reason, SessionEffect effect, String because) {
            this(reason, effect, because, false, false, Processes.NONE);
        }

        Update(
                NotRead reason,
                SessionEffect effect,
                String because,
                boolean asksSequence,
                boolean asksChannels,
                Processes processes) {
            this(reason, effect, because, asksSequence, asksChannels, processes, false);
        }

        Update copyingIn() {
            return new Update(reason, effect, because, asksSequence, asksChannels, processes, true);
        }
    }

    /** CREATE TABLESPACE. It names a directory, and every node that replays the Master's log would use the same one. */
    record CreateTablespace() implements Statement {
        @Override
        public SessionEffect effect() {
            return SessionEffect.NONE;
        }
    }

    /**
     * CREATE, ALTER or DROP DATABASE.
     *
     * @param use the use that the command makes of it
     * @param database the database that it changes or copies
     * @param force whether sessions connected to the database are ended
     */
    record DatabaseCommand(Use use, String database, boolean force) implements Statement {
        /** The use that a command makes of a database. */
        public enum Use {
            /** The database is changed. No other session may be connected to it. */
            CHANGE,
            /** The database is a template. No other session may be connected to it. */
            COPY,
            /** Sessions connected to the database do not matter. */
            OTHER
        }

        @Override
        public SessionEffect effect() {
            return SessionEffect.NONE;
        }
    }

    /** An empty statement, or comments only. */
    record Empty() implements NoEffect {
        static final Empty INSTANCE = new Empty();
    }

    /**
     * BEGIN or START TRANSACTION. Absent modes come from the session's defaults.
     *
     * @param tag the tag of its CommandComplete message
     */
    record Begin(String tag, Optional<Isolation> isolation, Optional<Boolean> readOnly, Optional<Boolean> deferrable)
            implements NoEffect {

        /** Returns an equivalent statement. */
        public String sql() {
            return "BEGIN" + modes(isolation, readOnly, deferrable);
        }
    }

    private static String modes(
            Optional<Isolation> isolation, Optional<Boolean> readOnly, Optional<Boolean> deferrable) {
        StringBuilder sql = new StringBuilder();
        isolation.ifPresent(level -> sql.append(" ISOLATION LEVEL ").append(level.sql()));
        readOnly.ifPresent(only -> sql.append(only ? " READ ONLY" : " READ WRITE"));
        deferrable.ifPresent(may -> sql.append(may ? " DEFERRABLE" : " NOT DEFERRABLE"));
        return sql.toString();
    }

    /** COMMIT, END. */
    record Commit(boolean chain) implements NoEffect {}

    /** ROLLBACK, ABORT. */
    record Rollback(boolean chain) implements NoEffect {}

    record Savepoint(String name) implements NoEffect {}

    record RollbackTo(String savepoint) implements NoEffect {}

    record Release(String savepoint) implements NoEffect {}

    /** PREPARE TRANSACTION. It ends the transaction block; COMMIT PREPARED and ROLLBACK PREPARED are {@link Update}s. */
    record PrepareTransaction() implements NoEffect {}

    /** SET TRANSACTION. It applies to the current transaction only. */
    record SetTransaction(
            Optional<Isolation> isolation,
            Optional<Boolean> readOnly,
            Optional<Boolean> deferrable,
            boolean importsSnapshot)
            implements NoEffect {

        /** Returns a statement that sets the same modes. */
        public String sql() {
            return "SET TRANSACTION" + modes(isolation, readOnly, deferrable);
        }
    }

    /** SET SESSION CHARACTERISTICS AS TRANSACTION. */
    record SetSessionCharacteristics(
            Optional<Isolation> isolation, Optional<Boolean> readOnly, Optional<Boolean> deferrable)
            implements Statement {
        @Override
        public SessionEffect effect() {
            return SessionEffect.SETTINGS;
        }
    }

    /**
     * SET name TO value, also as SET TIME ZONE, NAMES, SCHEMA, ROLE, SESSION AUTHORIZATION, XML OPTION. In these forms the name is
     * that of the setting: {@code timezone}, {@code client_encoding}, {@code search_path}, {@code role},
     * {@code session_authorization}, {@code xmloption}.
     *
     * @param name in lower case, such as {@code multimed.freshness}
     * @param value the value without quotes (of a list: its elements joined by {@code ", "}), null for DEFAULT
     * @param valueSql the value as it was written, for repeating the statement; null for DEFAULT
     * @param local whether it is SET LOCAL
     */
    record Set(
            String name, @Nullable String value, @Nullable String valueSql, boolean local) implements Statement {
        /**
         * Returns a statement that sets the same value, whatever the session's encoding and its treatment of string constants;
         * null if there is none that is certain to.
         */
        public @Nullable String sql() {
            String given = valueSql == null ? "DEFAULT" : valueSql;
            boolean plain = given.chars().allMatch(c -> c < 0x80 && c != '\\');
            if (!plain || (name.equals("timezone") && given.regionMatches(true, 0, "interval", 0, 8))) {
                return null;
            }
            String quoted = '"' + name.replace("\"", "\"\"").replace(".", "\".\"") + '"';
            return (local ? "SET LOCAL " : "SET ") + quoted + " TO " + given;
        }

        @Override
        public SessionEffect effect() {
            return Settings.effectOfSetting(name, local);
        }
    }

    /**
     * RESET.
     *
     * @param name as in {@link Set}, null for ALL
     */
    record Reset(@Nullable String name) implements Statement {
        @Override
        public SessionEffect effect() {
            return name == null ? SessionEffect.SETTINGS : Settings.effectOfSetting(name, false);
        }
    }

    /**
     * SHOW. Nodes answer it differently, so the Master executes it, unless the name is one of Multimed's own.
     *
     * @param name as in {@link Set}, {@code "all"} for ALL
     */
    record Show(String name) implements NoEffect {}

    /** DISCARD. */
    record Discard(What what) implements Statement {
        /** The state that the statement discards. */
        public enum What {
            ALL,
            PLANS,
            SEQUENCES,
            TEMP
        }

        @Override
        public SessionEffect effect() {
            return what == What.ALL ? SessionEffect.SETTINGS : SessionEffect.NONE;
        }
    }

    /** SQL's PREPARE. */
    record Prepare(String name) implements Statement {
        @Override
        public SessionEffect effect() {
            return SessionEffect.PRIVATE;
        }
    }

    /** SQL's EXECUTE. The prepared statement may be of any kind, so it may write. */
    record ExecutePrepared(String name) implements Statement {
        @Override
        public SessionEffect effect() {
            return SessionEffect.OPAQUE;
        }
    }

    /**
     * DEALLOCATE.
     *
     * @param name null for ALL; it may also be a statement that was prepared by a Parse message
     */
    record Deallocate(@Nullable String name) implements NoEffect {}

    /** LISTEN. */
    record Listen(String channel) implements Statement {
        @Override
        public SessionEffect effect() {
            return SessionEffect.PRIVATE;
        }
    }

    /**
     * UNLISTEN.
     *
     * @param channel null for all
     */
    record Unlisten(@Nullable String channel) implements NoEffect {}

    /**
     * DECLARE … CURSOR.
     *
     * @param hold whether it is WITH HOLD, so that the cursor outlives the transaction
     * @param query the cursor's query, a {@link Read} or an {@link Update}
     */
    record DeclareCursor(String name, boolean hold, Statement query) implements Statement {
        @Override
        public SessionEffect effect() {
            return hold ? SessionEffect.PRIVATE : query.effect();
        }
    }

    /** FETCH or MOVE. It executes the cursor's query, on the connection on which the cursor was declared. */
    record Fetch(String cursor) implements NoEffect {}

    /**
     * CLOSE.
     *
     * @param cursor null for ALL
     */
    record CloseCursor(@Nullable String cursor) implements NoEffect {}

    /**
     * EXPLAIN (MULTIMED). Multimed answers it: it tells where the statement behind it would be executed.
     *
     * @param alone whether it has no other option
     */
    record ExplainPlacement(boolean alone) implements NoEffect {}

    /** Statements that change nothing but the transaction, or only release something. */
    sealed interface NoEffect extends Statement
            permits Empty,
                    Begin,
                    Commit,
                    Rollback,
                    Savepoint,
                    RollbackTo,
                    Release,
                    PrepareTransaction,
                    SetTransaction,
                    Show,
                    Deallocate,
                    Unlisten,
                    Fetch,
                    CloseCursor,
                    ExplainPlacement {
        @Override
        default SessionEffect effect() {
            return SessionEffect.NONE;
        }
    }
}
