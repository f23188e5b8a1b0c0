package io.multimed.sql;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One statement, understood as far as routing and session state need. Immutable; free of literal values of queries. */
public sealed interface Statement {

    /** What it leaves behind in the backend that executes it, if it succeeds. */
    SessionEffect effect();

    /** Whether a Satellite may execute it outside a transaction block. */
    default boolean isRead() {
        return false;
    }

    /** Whether the transaction block in which it stands is over with it, if it succeeds. */
    default boolean endsTransaction() {
        return this instanceof Commit || this instanceof Rollback || this instanceof PrepareTransaction;
    }

    /**
     * Harmless: may run on a Satellite. SELECT, WITH, VALUES, TABLE, COPY (…) TO STDOUT of such. While the classifier
     * remembers a shape, it gives the same object for it, by whose identity it can be recognised.
     *
     * @param momentary what it returns may depend on the moment at which it or its transaction began, or on chance, and not
     *     on its snapshot, its parameters and the session's user and settings alone. True if in doubt. It does not tell of
     *     values that mean a moment only once they are converted, such as {@code 'now'} or {@code 'today'} made a date:
     *     literals are no part of a shape, nor are parameters and data.
     */
    record Read(boolean momentary) implements Statement {
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
     * Everything that is neither harmless nor session control: the Master executes it.
     *
     * @param because a few words for a person, such as {@code "calls nextval"}; nothing to decide upon
     * @param asksSequence it asks for what this session last took from a sequence (currval, lastval), anywhere in it
     * @param asksChannels it asks what this session listens to, anywhere in it
     * @param processes of which server processes it may ask the numbers, anywhere in it
     * @param copiesIn it is COPY FROM STDIN: the engine reads what the client sends next
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

    /** CREATE TABLESPACE: names a directory, which every node that follows the Master would use. */
    record CreateTablespace() implements Statement {
        @Override
        public SessionEffect effect() {
            return SessionEffect.NONE;
        }
    }

    /**
     * CREATE, ALTER or DROP DATABASE.
     *
     * @param database that it changes, or copies
     * @param force whether sessions are ended that are connected to it
     */
    record DatabaseCommand(What what, String database, boolean force) implements Statement {
        /** The change of the database. */
        public enum What {
            /** Nobody else may be connected to it. */
            CHANGE,
            /** It is a template; nobody else may be connected to it. */
            COPY,
            /** It does not matter who is connected to it. */
            OTHER
        }

        @Override
        public SessionEffect effect() {
            return SessionEffect.NONE;
        }
    }

    /** Nothing, or comments only. */
    record Empty() implements NoEffect {
        static final Empty INSTANCE = new Empty();
    }

    /**
     * BEGIN, START TRANSACTION; what is absent comes from the session's defaults.
     *
     * @param tag of its CommandComplete
     */
    record Begin(String tag, Optional<Isolation> isolation, Optional<Boolean> readOnly, Optional<Boolean> deferrable)
            implements NoEffect {

        /** A statement that means the same. */
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

    /** PREPARE TRANSACTION: ends the transaction block; COMMIT PREPARED and ROLLBACK PREPARED are {@link Update}s. */
    record PrepareTransaction() implements NoEffect {}

    /** SET TRANSACTION, of the current transaction only. */
    record SetTransaction(
            Optional<Isolation> isolation,
            Optional<Boolean> readOnly,
            Optional<Boolean> deferrable,
            boolean importsSnapshot)
            implements NoEffect {

        /** A statement that sets the same modes. */
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
     * SET name TO value, also as SET TIME ZONE, NAMES, SCHEMA, ROLE, SESSION AUTHORIZATION, XML OPTION (then the name is
     * that of the setting: {@code timezone}, {@code client_encoding}, {@code search_path}, {@code role}, {@code
     * session_authorization}, {@code xmloption}).
     *
     * @param name in lower case, such as {@code multimed.freshness}
     * @param value the value without quotes (of a list: its elements joined by {@code ", "}), null for DEFAULT
     * @param valueSql the value as it was written, for saying it again; null for DEFAULT
     * @param local SET LOCAL
     */
    record Set(
            String name, @Nullable String value, @Nullable String valueSql, boolean local) implements Statement {
        /**
         * A statement that sets the same, whatever the session's encoding and its way of reading strings; null if that cannot be
         * told.
         */
        public @Nullable String sql() {
            String given = valueSql == null ? "DEFAULT" : valueSql;
            boolean plain = given.chars().allMatch(c -> c < 0x80 && c != '\\');
            if (!plain || name.equals("timezone") && given.regionMatches(true, 0, "interval", 0, 8)) {
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
     * SHOW: nodes answer it differently, so the Master does, unless the name is Multimed's own.
     *
     * @param name as in {@link Set}, {@code "all"} for ALL
     */
    record Show(String name) implements NoEffect {}

    /** DISCARD. */
    record Discard(What what) implements Statement {
        /** What is thrown away. */
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

    /** PREPARE of the SQL language. */
    record Prepare(String name) implements Statement {
        @Override
        public SessionEffect effect() {
            return SessionEffect.PRIVATE;
        }
    }

    /** EXECUTE of the SQL language: whatever was prepared, so it may write. */
    record ExecutePrepared(String name) implements Statement {
        @Override
        public SessionEffect effect() {
            return SessionEffect.OPAQUE;
        }
    }

    /**
     * DEALLOCATE.
     *
     * @param name null for ALL; it may also name a statement prepared by a Parse message
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
     * @param hold WITH HOLD: it outlives the transaction
     * @param query its query, a {@link Read} or an {@link Update}
     */
    record DeclareCursor(String name, boolean hold, Statement query) implements Statement {
        @Override
        public SessionEffect effect() {
            return hold ? SessionEffect.PRIVATE : query.effect();
        }
    }

    /** FETCH or MOVE: executes the cursor's query, wherever it was declared. */
    record Fetch(String cursor) implements NoEffect {}

    /**
     * CLOSE.
     *
     * @param cursor null for ALL
     */
    record CloseCursor(@Nullable String cursor) implements NoEffect {}

    /** Those that change nothing but the transaction, or only let go of something. */
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
                    CloseCursor {
        @Override
        default SessionEffect effect() {
            return SessionEffect.NONE;
        }
    }
}
