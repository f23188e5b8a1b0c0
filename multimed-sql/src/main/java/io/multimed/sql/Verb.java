package io.multimed.sql;

import java.nio.charset.StandardCharsets;

/** The first keyword of a statement, as far as it decides how the statement is analysed. */
enum Verb {
    SELECT(Kind.QUERY),
    WITH(Kind.QUERY),
    VALUES(Kind.QUERY),
    TABLE(Kind.QUERY),

    BEGIN(Kind.CONTROL),
    START(Kind.CONTROL),
    COMMIT(Kind.CONTROL),
    END(Kind.CONTROL),
    ROLLBACK(Kind.CONTROL),
    ABORT(Kind.CONTROL),
    SAVEPOINT(Kind.CONTROL),
    RELEASE(Kind.CONTROL),
    PREPARE(Kind.CONTROL),
    EXECUTE(Kind.CONTROL),
    DEALLOCATE(Kind.CONTROL),
    SET(Kind.CONTROL),
    RESET(Kind.CONTROL),
    SHOW(Kind.CONTROL),
    DISCARD(Kind.CONTROL),
    LISTEN(Kind.CONTROL),
    UNLISTEN(Kind.CONTROL),
    FETCH(Kind.CONTROL),
    MOVE(Kind.CONTROL),
    CLOSE(Kind.CONTROL),

    /** COPY (query) TO STDOUT may be a read. */
    COPY(Kind.COPY),
    /** DECLARE name CURSOR FOR query. */
    DECLARE(Kind.DECLARE),
    /** EXPLAIN: the plan comes from the Master, with or without execution. */
    EXPLAIN(Kind.EXPLAIN),

    INSERT(Kind.WRITE),
    UPDATE(Kind.WRITE),
    DELETE(Kind.WRITE),
    MERGE(Kind.WRITE),
    TRUNCATE(Kind.WRITE),

    NOTIFY(Kind.HARMLESS_TO_SESSION),
    LOCK(Kind.HARMLESS_TO_SESSION),
    CHECKPOINT(Kind.HARMLESS_TO_SESSION),

    LOAD(Kind.HIDDEN),

    // These may run unknown code: event triggers, functions in indexes, bodies of code.
    CREATE(Kind.UNKNOWN_CODE),
    ALTER(Kind.UNKNOWN_CODE),
    DROP(Kind.UNKNOWN_CODE),
    GRANT(Kind.UNKNOWN_CODE),
    REVOKE(Kind.UNKNOWN_CODE),
    COMMENT(Kind.UNKNOWN_CODE),
    SECURITY(Kind.UNKNOWN_CODE),
    REASSIGN(Kind.UNKNOWN_CODE),
    IMPORT(Kind.UNKNOWN_CODE),
    REFRESH(Kind.UNKNOWN_CODE),
    VACUUM(Kind.UNKNOWN_CODE),
    ANALYZE(Kind.UNKNOWN_CODE),
    ANALYSE(Kind.UNKNOWN_CODE),
    CLUSTER(Kind.UNKNOWN_CODE),
    REINDEX(Kind.UNKNOWN_CODE),
    CALL(Kind.UNKNOWN_CODE),
    DO(Kind.UNKNOWN_CODE),

    /** No keyword of these. */
    NONE(Kind.NOT_SQL);

    enum Kind {
        QUERY,
        CONTROL,
        COPY,
        DECLARE,
        EXPLAIN,
        WRITE,
        HARMLESS_TO_SESSION,
        HIDDEN,
        UNKNOWN_CODE,
        NOT_SQL
    }

    /** Each byte {@link #fold}ed, by its unsigned value: every byte of every statement is looked up. */
    static final byte[] FOLDED = new byte[256];

    private static final int SLOTS = 512;
    private static final Verb[] TABLE_OF_VERBS = new Verb[SLOTS];

    static {
        for (int b = 0; b < FOLDED.length; b++) {
            FOLDED[b] = (byte) fold(b);
        }
        for (Verb verb : values()) {
            int slot = hash(verb.word, 0, verb.word.length);
            while (TABLE_OF_VERBS[slot] != null) {
                slot = (slot + 1) % SLOTS;
            }
            TABLE_OF_VERBS[slot] = verb;
        }
    }

    private final Kind kind;
    private final byte[] word;

    Verb(Kind kind) {
        this.kind = kind;
        this.word = name().toLowerCase(java.util.Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    }

    Kind kind() {
        return kind;
    }

    /** Whether the parser must confirm statements of this verb before they may count as reads. */
    boolean needsParser() {
        return kind == Kind.QUERY || kind == Kind.COPY || kind == Kind.DECLARE;
    }

    /** Returns the verb for an unquoted word; {@link #NONE} if there is none. */
    static Verb of(byte[] sql, int start, int end) {
        int slot = hash(sql, start, end);
        for (Verb verb = TABLE_OF_VERBS[slot]; verb != null; verb = TABLE_OF_VERBS[slot]) {
            if (verb != NONE && verb.is(sql, start, end)) {
                return verb;
            }
            slot = (slot + 1) % SLOTS;
        }
        return NONE;
    }

    private boolean is(byte[] sql, int start, int end) {
        if (end - start != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (FOLDED[sql[start + i] & 0xff] != word[i]) {
                return false;
            }
        }
        return true;
    }

    private static int hash(byte[] sql, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = hash * 31 + FOLDED[sql[i] & 0xff];
        }
        return (hash ^ hash >>> 9) & SLOTS - 1;
    }

    /** Folds ASCII letters to lower case, as PostgreSQL folds keywords. */
    static int fold(int b) {
        return b >= 'A' && b <= 'Z' ? b | 0x20 : b;
    }
}
