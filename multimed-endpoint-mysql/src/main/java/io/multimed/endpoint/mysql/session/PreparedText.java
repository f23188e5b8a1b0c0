package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.Packets;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All on which the meaning of a prepared statement depends: its text, and the database and the settings with which the client has prepared it.
 * A server keeps these of each statement, so that another one, or another connection, has to be told them before it prepares the statement.
 */
final class PreparedText {
    /** Longest command that is kept. */
    static final int LONGEST = 1 << 16;

    private static final byte[] NO_BYTES = {};
    private static final Pattern LISTS = Pattern.compile("(?i)\\bIN\\s*\\(\\s*\\?(?:\\s*,\\s*\\?)*\\s*\\)");
    private static final Pattern COMPARED =
            Pattern.compile("(?i)(?:[=<>]|\\b(?:LIKE|LIMIT|BETWEEN|BETWEEN\\s+[?\\w.`]+\\s+AND))\\s*\\?");

    private final byte[] payload;
    private final byte[] database;
    private final int generation;
    private @Nullable List<String> settings;

    private PreparedText(byte[] payload, byte[] database, int generation) {
        this.payload = payload;
        this.database = database;
        this.generation = generation;
    }

    /** Keeps what a COM_STMT_PREPARE says, in one packet or the first of several. */
    static PreparedText of(ByteBuf packet, SessionState state) {
        int length = packet.readableBytes() - Packets.HEADER;
        byte[] payload = NO_BYTES;
        if (length <= LONGEST) {
            payload = new byte[length];
            packet.getBytes(packet.readerIndex() + Packets.HEADER, payload);
        }
        MysqlVariables variables = state.variables();
        PreparedText text = new PreparedText(payload, state.database(), variables.generation());
        text.learn(variables);
        return text;
    }

    /** Returns the same without the text, which is not to be kept. */
    PreparedText forgotten() {
        PreparedText text = new PreparedText(NO_BYTES, database, generation);
        text.settings = settings;
        return text;
    }

    /** Whether the text is there. If not, only the Master's present connection can execute the statement. */
    boolean isKept() {
        return payload.length > 0;
    }

    /** Returns the payload of the command that prepares the statement. */
    byte[] payload() {
        return payload;
    }

    /** Returns the statement, one char for each byte. */
    String sql() {
        return new String(payload, 1, payload.length - 1, StandardCharsets.ISO_8859_1);
    }

    /**
     * Whether all parameters are compared with something. Of one in a result MariaDB keeps the properties of former executions, which the
     * definitions of columns show.
     */
    boolean areParametersCompared() {
        String text = COMPARED.matcher(LISTS.matcher(sql()).replaceAll("")).replaceAll("");
        return text.indexOf('?') < 0;
    }

    byte[] database() {
        return database;
    }

    /** Takes over the settings if they are those of the preparation, and known by now. */
    void learn(MysqlVariables variables) {
        if (settings == null && generation == variables.generation() && variables.areKnown()) {
            settings = variables.statements();
        }
    }

    /** Whether preparing the text now gives the same statement. The session's settings must be known. */
    boolean isOfNow(SessionState state) {
        learn(state.variables());
        List<String> own = settings;
        return Arrays.equals(database, state.database()) && own != null && own.equals(settingsNow(state.variables()));
    }

    private List<String> settingsNow(MysqlVariables variables) {
        List<String> own = settings;
        return own != null && generation == variables.generation() ? own : variables.statements();
    }

    /**
     * Whether an engine that has the session's present settings and database can be told those of the preparation, and then the present ones
     * again. If the settings of the preparation are not known yet, they may become known as long as they have not changed.
     */
    boolean canBeRestored(SessionState state) {
        MysqlVariables variables = state.variables();
        learn(variables);
        if (database.length == 0 != (state.database().length == 0)
                || (!Arrays.equals(database, state.database()) && SharedTerms.use(database) == null)) {
            return false;
        }
        List<String> own = settings;
        if (own == null) {
            return generation == variables.generation();
        }
        List<String> before = characterSets(own);
        List<String> now = variables.characterSets();
        return before.equals(now) || (MysqlVariables.areWhole(before) && MysqlVariables.areWhole(now));
    }

    private static List<String> characterSets(List<String> statements) {
        return statements.subList(0, statements.size() - 1);
    }

    /** Whether preparing the text gives the same statement, after {@link #restoring}. The session's settings must be known. */
    boolean canBePrepared(SessionState state) {
        return isKept()
                && (isOfNow(state)
                        || (!restoring(state).isEmpty() && state.variables().areFollowable()));
    }

    /** Returns the statements that set the settings and the database of the preparation; none if these are the present ones. */
    List<String> restoring(SessionState state) {
        List<String> own = settings;
        if (own == null || isOfNow(state) || !canBeRestored(state)) {
            return List.of();
        }
        String use = SharedTerms.use(database);
        return with(own, Arrays.equals(database, state.database()) ? null : use);
    }

    /** Returns the statements that make the present settings and the database valid again, after {@link #restoring}. */
    List<String> returning(SessionState state) {
        String use = SharedTerms.use(state.database());
        return with(state.variables().statementsOnMaster(), Arrays.equals(database, state.database()) ? null : use);
    }

    private static List<String> with(List<String> statements, @Nullable String another) {
        if (another == null) {
            return statements;
        }
        List<String> all = new java.util.ArrayList<>(statements);
        all.add(another);
        return all;
    }
}
