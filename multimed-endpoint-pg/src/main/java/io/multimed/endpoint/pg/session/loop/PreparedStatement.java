package io.multimed.endpoint.pg.session.loop;

import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that a client prepared by a Parse message. Clients of one loop for which an engine analyses the same text to the same thing
 * share one object, and with it the statement in the engine.
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
    /** The version of the database's schema when the client prepared it. */
    private final long schemaVersion;
    /** How the engine resolves its names, see {@code NameResolution}; null if no engine is given it. */
    private final @Nullable Object names;
    /** By which the engines read it; null if it is not shared. */
    private final @Nullable LiteralSettings literals;
    /** Types that its parameters have whatever an engine would make of the text now; null if only the client has given types. */
    private final byte @Nullable [] fixedTypes;
    /** Equal to that of others that mean the same, on whatever loop; null if it is not shared. */
    private final @Nullable Object meaning;
    /** How many sessions know it; counted by the registry. */
    int users;
    /** The name under which the first of them keeps it; set by the registry. */
    String firstName = "";

    private @Nullable ClassifiedSql classified;
    private long classifiedUnder = Long.MIN_VALUE;
    /** As an engine has described it; null while none has. */
    private @Nullable Analysis analysis;
    /** A version of the schema under which an engine has given the same result. */
    private long confirmedUnder = Long.MIN_VALUE;
    /** A client has been given another's answer instead of an engine's. */
    private boolean unanalysedAnswer;
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

    /**
     * An unnamed one.
     *
     * @param names how an engine resolves its names
     * @param schemaVersion of the database
     */
    public PreparedStatement(byte[] sql, byte[] parameterTypes, Object names, long schemaVersion) {
        this("", sql, parameterTypes, null, schemaVersion, names, null, null, false, false);
    }

    /**
     * A shared one.
     *
     * @param engineName under which engines hold it
     * @param fixedTypes types that its parameters have whatever an engine would make of the text; null if there are none
     * @param schemaVersion of the database
     * @param names how engines resolve its names
     * @param literals by which engines read it
     * @param meaning equal to that of others that mean the same
     */
    PreparedStatement(
            String engineName,
            byte[] sql,
            byte[] parameterTypes,
            byte @Nullable [] fixedTypes,
            long schemaVersion,
            Object names,
            LiteralSettings literals,
            Object meaning) {
        this(engineName, sql, parameterTypes, fixedTypes, schemaVersion, names, literals, meaning, false, false);
    }

    private PreparedStatement(
            String engineName,
            byte[] sql,
            byte[] parameterTypes,
            byte @Nullable [] fixedTypes,
            long schemaVersion,
            @Nullable Object names,
            @Nullable LiteralSettings literals,
            @Nullable Object meaning,
            boolean streamed,
            boolean asksRoute) {
        this.engineName = engineName;
        this.sql = sql;
        this.parameterTypes = parameterTypes;
        this.fixedTypes = fixedTypes;
        this.schemaVersion = schemaVersion;
        this.names = names;
        this.literals = literals;
        this.meaning = meaning;
        this.streamed = streamed;
        this.asksRoute = asksRoute;
    }

    /** An unnamed statement so long that it was passed on without being kept: only the engine that has it knows it. */
    public static PreparedStatement streamed() {
        return ofNoEngine(new byte[0], NO_TYPES, true, false);
    }

    /** SHOW multimed.route, which no engine is told. */
    public static PreparedStatement route(byte[] sql, byte[] parameterTypes) {
        return ofNoEngine(sql, parameterTypes, false, true);
    }

    private static PreparedStatement ofNoEngine(
            byte[] sql, byte[] parameterTypes, boolean streamed, boolean asksRoute) {
        return new PreparedStatement(
                "", sql, parameterTypes, null, Long.MIN_VALUE, null, null, null, streamed, asksRoute);
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

    /** By which the engines read it; null if it is not shared. */
    public @Nullable LiteralSettings literals() {
        return literals;
    }

    /** How an engine resolves its names; null if it is given to no engine but the one that has it. */
    public @Nullable Object names() {
        return names;
    }

    /** Count and type OIDs of the parameters, for an engine that is to prepare it: what another has made of them stays. */
    public byte[] engineTypes() {
        Analysis known = analysis;
        if (known != null) {
            return known.parameterTypes();
        }
        return fixedTypes != null ? fixedTypes : parameterTypes;
    }

    /** As an engine has described it; null while none has. */
    public @Nullable Analysis analysis() {
        return analysis;
    }

    /** Whether engines are known to have described both with the same result. */
    public boolean returnsAs(PreparedStatement other) {
        return analysis != null && other.analysis != null && analysis.returnsAs(other.analysis);
    }

    /** An engine has described it. */
    public void analysed(Analysis found) {
        if (analysis == null) {
            analysis = found;
        }
    }

    /** A client has been given another's answer instead of an engine's: what that relies on is not known here. */
    public void answeredUnanalysed() {
        unanalysedAnswer = analysis == null;
    }

    /** Whether a client relies on what no engine has described here. */
    public boolean isReliedOnUnanalysed() {
        return unanalysedAnswer && analysis == null;
    }

    /** Whether an engine gives the result that it is known to have, if it prepares it under this version of the schema. */
    public boolean isConfirmedUnder(long version) {
        return version == schemaVersion || version == confirmedUnder;
    }

    /** An engine has given the same result under this version of the schema. */
    public void confirmedUnder(long version) {
        confirmedUnder = version;
    }
}
