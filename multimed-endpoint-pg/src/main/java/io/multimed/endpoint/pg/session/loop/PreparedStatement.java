package io.multimed.endpoint.pg.session.loop;

import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client prepared by a Parse message. Clients of one loop that prepare the same text under the same catalog and
 * search path share one object, and with it the statement in the engine.
 */
public final class PreparedStatement {
    /** FirstNormalObjectId (access/transam.h). */
    private static final int FIRST_USER_OID = 16_384;

    private static final byte[] NO_TYPES = {0, 0};

    private final String engineName;
    private final byte[] sql;
    private final byte[] parameterTypes;
    private final boolean streamed;
    private final boolean asksRoute;
    private final long preparedUnder;
    /** By which the engines read it; null if it is not shared. */
    private final @Nullable LiteralSettings literals;
    /** Equal to that of others that mean the same, on whatever loop; null if it is not shared. */
    private final @Nullable Object meaning;
    /** How many sessions know it; counted by the registry. */
    int users;

    private @Nullable ClassifiedSql classified;
    private long classifiedUnder = Long.MIN_VALUE;
    /** What clients were told that it returns. */
    private byte @Nullable [] told;
    /** They were told several things: the same names mean different tables to them. */
    private boolean toldDifferently;

    private long asToldUnder = Long.MIN_VALUE;
    /** It was not prepared after all. */
    private boolean nothing;
    /** What is there instead. */
    private @Nullable PreparedStatement instead;
    /** The engine that was to hold it does not after all. */
    private boolean unheld;
    /** What that holds instead. */
    private @Nullable Object heldInstead;

    /** What {@code NamingSql} has found in it; null before it has looked. */
    private @Nullable List<Statement> naming;

    /** An unnamed one. */
    public PreparedStatement(byte[] sql, byte[] parameterTypes) {
        this("", sql, parameterTypes, Long.MIN_VALUE, null, null, false, false);
    }

    /**
     * @param engineName under which engines hold it
     * @param catalogVersion when it was prepared
     * @param literals by which the engines read it
     * @param meaning equal to that of others that mean the same
     */
    PreparedStatement(
            String engineName,
            byte[] sql,
            byte[] parameterTypes,
            long catalogVersion,
            LiteralSettings literals,
            Object meaning) {
        this(engineName, sql, parameterTypes, catalogVersion, literals, meaning, false, false);
    }

    private PreparedStatement(
            String engineName,
            byte[] sql,
            byte[] parameterTypes,
            long preparedUnder,
            @Nullable LiteralSettings literals,
            @Nullable Object meaning,
            boolean streamed,
            boolean asksRoute) {
        this.engineName = engineName;
        this.sql = sql;
        this.parameterTypes = parameterTypes;
        this.preparedUnder = preparedUnder;
        this.literals = literals;
        this.meaning = meaning;
        this.streamed = streamed;
        this.asksRoute = asksRoute;
    }

    /** An unnamed statement so long that it was passed on without being kept: only the engine that has it knows it. */
    public static PreparedStatement streamed() {
        return new PreparedStatement("", new byte[0], NO_TYPES, Long.MIN_VALUE, null, null, true, false);
    }

    /** SHOW multimed.route, which no engine is told. */
    public static PreparedStatement route(byte[] sql, byte[] parameterTypes) {
        return new PreparedStatement("", sql, parameterTypes, Long.MIN_VALUE, null, null, false, true);
    }

    /** Whether it is SHOW multimed.route, which no engine is told. */
    public boolean asksRoute() {
        return asksRoute;
    }

    /** Whether it was passed on without being kept. */
    public boolean isStreamed() {
        return streamed;
    }

    /** What keeping it costs, in bytes. */
    public int size() {
        return sql.length + parameterTypes.length;
    }

    /** Under which engines hold it; empty if it is unnamed. */
    public String engineName() {
        return engineName;
    }

    /** Equal to that of others that mean the same, on whatever loop; null if it is not shared. */
    public @Nullable Object meaning() {
        return meaning;
    }

    /** Its SQL, in the encoding of the client; not to be changed. */
    public byte[] sql() {
        return sql;
    }

    /** Count and type OIDs, as the client sent them. */
    public byte[] parameterTypes() {
        return parameterTypes;
    }

    /**
     * Whether a parameter is given a type that is not built in: its input function runs at Bind, and nothing in the SQL
     * tells of it.
     */
    public static boolean namesUserType(byte[] parameterTypes) {
        ByteBuffer types = ByteBuffer.wrap(parameterTypes);
        for (int left = Short.toUnsignedInt(types.getShort()); left > 0; left--) {
            if (Integer.compareUnsigned(types.getInt(), FIRST_USER_OID) >= 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * The engine has refused or ignored what was to make it the client's unnamed statement.
     *
     * @param other what that is still; null if there is none
     */
    public void cameToNothing(@Nullable PreparedStatement other) {
        nothing = true;
        instead = other;
    }

    /** This one, or what is the client's unnamed statement instead. */
    public @Nullable PreparedStatement instead() {
        return nothing ? instead : this;
    }

    /**
     * An engine holds it as its unnamed statement, as far as is known, or does not after all.
     *
     * @param other what it holds instead, null if nothing or unknown
     */
    public void isHeld(boolean held, @Nullable Object other) {
        unheld = !held;
        heldInstead = other;
    }

    /** This one, or what the engine holds as its unnamed statement instead. */
    public @Nullable Object heldInstead() {
        return unheld ? heldInstead : this;
    }

    /** Its classification under this version of the catalog, null when unknown. */
    public @Nullable ClassifiedSql classified(long catalogVersion) {
        return classifiedUnder == catalogVersion ? classified : null;
    }

    /** It has been classified under this version of the catalog. */
    public void classified(ClassifiedSql result, long catalogVersion) {
        classified = result;
        classifiedUnder = catalogVersion;
    }

    /** What of it is SQL about prepared statements; null if nobody has looked. */
    public @Nullable List<Statement> naming() {
        return naming;
    }

    /** Somebody has looked. */
    public void naming(List<Statement> found) {
        naming = found;
    }

    /** The version of the catalog when it was prepared. */
    public long preparedUnder() {
        return preparedUnder;
    }

    /** By which the engines read it; null if it is not shared. */
    public @Nullable LiteralSettings literals() {
        return literals;
    }

    /** A client has been told that it returns this. */
    public void told(byte[] result) {
        toldDifferently |= told != null && !Arrays.equals(told, result);
        told = result;
    }

    /** It takes the place of another for a client. */
    public void toldAs(PreparedStatement other) {
        if (other.told != null) {
            told(other.told);
            toldDifferently |= other.toldDifferently;
        }
    }

    /** Whether a client may rely on a result that an engine does not give which prepares it under this version. */
    public boolean mayReturnOtherThanTold(long catalogVersion) {
        return told != null && !toldDifferently && catalogVersion != preparedUnder && catalogVersion != asToldUnder;
    }

    /** An engine gives this result under this version. @return whether clients rely on nothing else */
    public boolean returnsAsTold(byte[] result, long catalogVersion) {
        if (!Arrays.equals(told, result)) {
            return false;
        }
        asToldUnder = catalogVersion;
        return true;
    }
}
