package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.Fields;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.OkMessage;
import io.multimed.protocol.mysql.OkMessage.StateChange;
import io.multimed.protocol.mysql.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The state that a session has on its connection to the Master, as far as it matters elsewhere.
 *
 * <p>The Master tells each change of a system variable and of the database with the OK behind it. What cannot be known, or cannot
 * follow the session to a Satellite, pins the session: from then on the Master executes its reads.
 *
 * <p>It has more fields than other classes, since it has one for each thing that a session has on the Master and that decides
 * whether the session can leave it.
 */
final class SessionState {
    private static final String TRACKING = "session_track_";
    private static final String WAIT_TIMEOUT = "wait_timeout";
    /**
     * A tenth of a timeout, in milliseconds for each second of it. It is looked at only when a command comes, so this is also the part of the
     * timeout that a client can be idle less than on MariaDB.
     */
    private static final long TENTH_MILLIS = 100;

    private static final long LONGEST_SILENCE_MILLIS = 60_000;

    /** White space, parentheses and comments before a statement's first word, but no comments that are executed. */
    private static final String BEFORE =
            "(?i)(?:[\\s(]|/\\*(?![!M])[^*]*+(?:\\*(?!/)[^*]*+)*+\\*/|--\\s[^\\n]*+\\n|#[^\\n]*+\\n)*+";

    /** The beginning of statements that change no settings before they fail. */
    private static final Pattern CHANGES_NO_SETTINGS = Pattern.compile(BEFORE
            + "(?:SELECT|WITH|INSERT|REPLACE|UPDATE|DELETE|USE|SHOW|BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\\b");

    /** The beginning of further statements that set nothing if they succeed. */
    private static final Pattern SETS_NOTHING =
            Pattern.compile(BEFORE + "(?:CREATE|ALTER|DROP|TRUNCATE|KILL|DESC|DESCRIBE|EXPLAIN)\\b");

    private static final Pattern USES = Pattern.compile(BEFORE + "USE\\b");

    private static final Pattern SETS_TRANSACTIONS = Pattern.compile(
            "(?i)\\s*SET\\s+(?:(?:SESSION|LOCAL)\\s+)?TRANSACTION\\s+(?:ISOLATION|READ)\\s[\\w\\s,]*;?\\s*");
    /** Variables on which the results of reads depend, and whose changes the Master does not tell. */
    private static final Pattern CHANGES_QUERIES = Pattern.compile("(?i)\\b(?:sql_auto_is_null|timestamp)\\b");

    private final MysqlVariables variables = new MysqlVariables();
    private int status = ServerStatus.AUTOCOMMIT;
    private boolean settled = true;
    private boolean doubted;
    private String statement = "";
    private @Nullable String pinned;
    /** Whether the session has something on its connection to the Master that no other connection can be told. */
    private boolean held;

    /** Whether the Master's last statement has changed more rows than another connection can be made to show. */
    private boolean changedMany;
    /** Whether the Master has warnings or errors to show. Only statements that use tables clear these. */
    private boolean warned;

    private long longestSilenceNanos = TimeUnit.MILLISECONDS.toNanos(TENTH_MILLIS);

    private byte[] database = new byte[0];

    /** The variables of which the client wants to hear; null for all. */
    private @Nullable Set<String> told = Set.of();

    private boolean toldSchema = true;
    private boolean toldState;
    /** Whether the Master no longer tells all that Multimed needs, because the client has chosen what it tells. */
    private boolean untold;

    /** Begins anew, after a login. */
    void reset(byte[] newDatabase, String tellVariables, boolean tellSchema, boolean tellState) {
        status = ServerStatus.AUTOCOMMIT;
        settled = true;
        doubted = false;
        pinned = null;
        held = false;
        changedMany = false;
        warned = false;
        database = newDatabase;
        variables.clear();
        tell(tellVariables);
        toldSchema = tellSchema;
        toldState = tellState;
        untold = false;
    }

    /** Records after how many seconds of silence the Master ends the session's connection. */
    void waits(long seconds) {
        longestSilenceNanos =
                TimeUnit.MILLISECONDS.toNanos(Math.clamp(seconds * TENTH_MILLIS, TENTH_MILLIS, LONGEST_SILENCE_MILLIS));
    }

    /** Returns after which time of silence the Master has to hear something, in nanoseconds. */
    long longestSilenceNanos() {
        return longestSilenceNanos;
    }

    /** Whether the Master has to be asked again to tell every change, before it executes anything else. */
    boolean isUntold() {
        return untold;
    }

    /** Records that the Master tells every change again, and what the client has chosen to be told of these. */
    void told(String tellVariables, boolean tellSchema, boolean tellState) {
        untold = false;
        tell(tellVariables);
        toldSchema = tellSchema;
        toldState = tellState;
    }

    /** Whether the client is told changes of the database. */
    boolean isSchemaTold() {
        return toldSchema;
    }

    private void tell(String list) {
        if (list.equals("*")) {
            told = null;
            return;
        }
        Set<String> names = new HashSet<>();
        for (String name : list.split(",")) {
            names.add(name.strip().toLowerCase(Locale.ROOT));
        }
        told = names;
    }

    /** Records the text of the present statement. */
    void statement(String text) {
        statement = text;
    }

    /** Returns the text of the present statement. */
    String text() {
        return statement;
    }

    MysqlVariables variables() {
        return variables;
    }

    /** Returns the name of the session's database in UTF-8; empty for none. */
    byte[] database() {
        return database;
    }

    void database(byte[] name) {
        database = name;
    }

    /** Returns the reason for which the Master executes all reads; null if there is none. */
    @Nullable
    String pinned() {
        return pinned;
    }

    void pin(String reason) {
        if (pinned == null) {
            pinned = reason;
        }
    }

    /**
     * Records that the present statement is about to be executed by the Master, which does not tell changes of some variables, such as
     * foreign_key_checks.
     */
    void executes() {
        if (CHANGES_NO_SETTINGS.matcher(statement).lookingAt()
                || SETS_NOTHING.matcher(statement).lookingAt()
                || SETS_TRANSACTIONS.matcher(statement).matches()) {
            return;
        }
        SetAssignments assignments = SetAssignments.of(statement);
        if (assignments == null
                || !assignments.areAllOf(name -> MysqlVariables.moves(name) || name.startsWith(TRACKING))) {
            hold();
        }
        if (CHANGES_QUERIES.matcher(statement).find()) {
            pin("the session may have set sql_auto_is_null or timestamp");
        }
    }

    /**
     * Whether the present statement may change settings or a database that statements keep with which they were prepared, or make choices for
     * the next transaction, which a change of settings for a preparation would take back.
     */
    boolean mayChangeSettings() {
        if (USES.matcher(statement).lookingAt()
                || SETS_TRANSACTIONS.matcher(statement).matches()) {
            return true;
        }
        if (CHANGES_NO_SETTINGS.matcher(statement).lookingAt()
                || SETS_NOTHING.matcher(statement).lookingAt()) {
            return false;
        }
        SetAssignments assignments = SetAssignments.of(statement);
        return assignments == null || !assignments.areAllOf(MysqlVariables::movesUnasked);
    }

    /** Records that the session has something on its connection to the Master that no other connection can be told. */
    void hold() {
        held = true;
    }

    /** Records how many rows the Master's last statement has changed. */
    void changedRows(long number) {
        changedMany = number > LastReply.MOST_CHANGED;
    }

    /** Records that the Master has warnings or an error to show. */
    void warned() {
        warned = true;
    }

    /** Whether the Master has warnings or an error to show, until it executes a statement that uses tables. */
    boolean isWarned() {
        return warned;
    }

    /** Records that the Master executes a statement that uses tables, or a Satellite has. */
    void usesTables() {
        warned = false;
    }

    /** Whether the Master's last statement has changed so many rows that no other connection can be made to show their number. */
    boolean hasChangedMany() {
        return changedMany;
    }

    /** Whether another connection to the Master could be made to have everything that this one has, but for the last statement. */
    boolean canMove() {
        return !held
                && !warned
                && pinned == null
                && !untold
                && isAutocommit()
                && !isInTransaction()
                && databaseText().chars().allMatch(c -> c >= ' ' && c < 0x7f);
    }

    /** Whether the Master has told everything about the state after the last statement. */
    boolean isSettled() {
        return settled && variables.areKnown();
    }

    /**
     * Records that a statement has failed: the Master has not told what it has changed before.
     *
     * @param mayHaveCalled whether it may have executed triggers or routines
     */
    void failed(boolean mayHaveCalled) {
        settled = false;
        held |= !statement.isEmpty() && !CHANGES_NO_SETTINGS.matcher(statement).lookingAt();
        doubted |= mayHaveCalled;
        variables.mayHaveChanged();
    }

    /** Whether a routine or trigger may have made temporary tables unseen. */
    boolean isDoubted() {
        return doubted;
    }

    void settle() {
        settled = true;
        doubted = false;
    }

    void status(int present) {
        status = present;
    }

    /** Whether the Master has said, last, that a transaction is open. */
    boolean isInTransaction() {
        return ServerStatus.has(status, ServerStatus.IN_TRANSACTION);
    }

    /** Whether a statement outside of transactions is one of its own; else it begins one that stays open. */
    boolean isAutocommit() {
        return ServerStatus.has(status, ServerStatus.AUTOCOMMIT);
    }

    int status() {
        return status;
    }

    /**
     * Takes over the changes that an OK of the Master tells.
     *
     * @param isExplained whether the statement shows by itself that it changes nothing but variables and the database
     * @return the message as the client is to see it
     */
    OkMessage changed(OkMessage ok, boolean isExplained) throws MysqlProtocolException {
        if (ok.changes().isEmpty()) {
            return ok;
        }
        List<StateChange> shown = new ArrayList<>();
        for (StateChange change : ok.changes()) {
            ByteBuf data = Unpooled.wrappedBuffer(change.data());
            boolean tellClient = true;
            switch (change.type()) {
                case StateChange.SYSTEM_VARIABLE -> {
                    tellClient = false;
                    while (data.isReadable()) {
                        String name = Fields.readText(data).toLowerCase(Locale.ROOT);
                        variable(name, Fields.readText(data), isExplained);
                        tellClient |= told == null || told.contains(name);
                    }
                }
                case StateChange.SCHEMA -> {
                    database = Fields.readRest(Fields.readBytes(data));
                    tellClient = toldSchema;
                }
                case StateChange.STATE -> {
                    tellClient = toldState;
                    if (!isExplained) {
                        pin("the session may have temporary tables or the like");
                    }
                }
                default -> {}
            }
            if (tellClient) {
                shown.add(change);
            }
        }
        return ok.with(shown);
    }

    private void variable(String name, String value, boolean isExplained) {
        held |= !name.startsWith(TRACKING) && !MysqlVariables.moves(name);
        if (name.equals(WAIT_TIMEOUT)) {
            waits(Long.parseLong(value));
        }
        if (name.startsWith(TRACKING)) {
            if (!isExplained) {
                pin("a routine has chosen what the Master tells about the session's state");
            }
        } else if (MysqlVariables.CHARACTER_SETS.contains(name)) {
            if (!isExplained || !variables.changedCharacterSet(statement)) {
                pin("the session has set " + name);
            }
        } else if (!variables.changed(name, value, isExplained)) {
            pin("the session has set " + name);
        }
    }

    /**
     * Records that the last statement has chosen what the Master tells. From then on the Master tells the client through Multimed, which needs
     * to hear everything.
     *
     * @param isExplained see {@link #changed}
     */
    void choseTracking(boolean isExplained) {
        untold = true;
        variables.doubt();
        SetAssignments assignments = isExplained ? SetAssignments.of(statement) : null;
        String characterSets = assignments == null ? null : assignments.characterSets();
        if (assignments == null
                || characterSets == null
                || !assignments.areAllOf(
                        name -> name.startsWith(TRACKING) || MysqlVariables.isAskedOrWithoutEffect(name))) {
            pin("the session has chosen what the Master tells about its state");
        } else if (!characterSets.isEmpty() && !variables.changedCharacterSet(statement)) {
            pin("the session has set character sets");
        }
    }

    /** Returns the database's name for messages. */
    String databaseText() {
        return new String(database, StandardCharsets.UTF_8);
    }
}
