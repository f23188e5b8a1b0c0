package io.multimed.endpoint.pg.session.loop;

import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement that a client prepared by a Parse message. Clients of one loop share one object, and with it the statement in the
 * engine, if an engine's analysis of their texts gives the same result.
 *
 * <p>It has more fields than other classes, since it has one for each fact that is known of the statement.
 */
public final class PreparedStatement {
    /** FirstNormalObjectId (access/transam.h): OIDs below this are built in. */
    private static final int FIRST_USER_OID = 16_384;

    /** OIDs of regproc, regprocedure, regoper, … regcollation, and of arrays of them (pg_type.dat). */
    private static final Set<Integer> NAME_TYPES = Set.of(
            24, 1008, 2202, 2203, 2204, 2205, 2206, 2207, 2208, 2209, 2210, 2211, 3734, 3735, 3769, 3770, 4089, 4090,
            4096, 4097, 4191, 4192);

    private static final byte[] NO_TYPES = {0, 0};

    private final String engineName;
    private final byte[] sql;
    private final byte[] parameterTypes;
    private final boolean streamed;
    private final boolean own;
    /** The version of the database's schema when the client prepared the statement. */
    private final long schemaVersion;
    /**
     * The way in which the engine resolves the names of the statement, see {@code NameResolution}; null if no engine receives it.
     */
    private final @Nullable Object names;
    /** The settings by which the engines read its literals; null if it is not shared. */
    private final @Nullable LiteralSettings literals;
    /** The types of its parameters, whatever an engine would derive from the text now; null if only the client has given types. */
    private final byte @Nullable [] fixedTypes;
    /** Key that equals the key of statements with the same meaning on any loop; null if the statement is not shared. */
    private final @Nullable Object meaning;
    /** Number of sessions that keep the statement. Counted by the registry. */
    int users;
    /** The name under which the first of these sessions keeps it. Set by the registry. */
    String firstName = "";

    private @Nullable ClassifiedSql classified;
    private long classifiedUnder = Long.MIN_VALUE;
    /** The description by an engine; null before there is one. */
    private @Nullable Analysis analysis;
    /** A version of the schema under which an engine has described the same result. */
    private long confirmedUnder = Long.MIN_VALUE;
    /** Whether a client has received the answer given to another client instead of an engine's answer. */
    private boolean unanalysedAnswer;
    /** Whether the engine refused or ignored its preparation. */
    private boolean nothing;
    /** The client's unnamed statement in place of this one, if {@code nothing} is set. */
    private @Nullable PreparedStatement instead;
    /** Whether the engine that was to hold it as its unnamed statement does not hold it. */
    private boolean unheld;
    /** The statement that the engine holds instead. */
    private @Nullable Object heldInstead;

    /** The statements about prepared statements that {@code NamingSql} has found in it; null before it was searched. */
    private @Nullable List<Statement> naming;

    /**
     * Creates an unnamed statement.
     *
     * @param names how an engine resolves its names
     * @param schemaVersion version of the database's schema
     */
    public PreparedStatement(byte[] sql, byte[] parameterTypes, Object names, long schemaVersion) {
        this("", sql, parameterTypes, null, schemaVersion, names, null, null, false, false);
    }

    /**
     * Creates a shared statement.
     *
     * @param engineName the name under which engines hold it
     * @param fixedTypes the types of its parameters, whatever an engine would derive from the text; null if there are none
     * @param schemaVersion version of the database's schema
     * @param names how engines resolve its names
     * @param literals the settings by which engines read its literals
     * @param meaning key that equals the key of statements with the same meaning
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
            boolean own) {
        this.engineName = engineName;
        this.sql = sql;
        this.parameterTypes = parameterTypes;
        this.fixedTypes = fixedTypes;
        this.schemaVersion = schemaVersion;
        this.names = names;
        this.literals = literals;
        this.meaning = meaning;
        this.streamed = streamed;
        this.own = own;
    }

    /**
     * Returns an unnamed statement so long that it was passed on without being kept. Only the engine that has it knows its text.
     */
    public static PreparedStatement streamed() {
        return ofNoEngine(new byte[0], NO_TYPES, true, false);
    }

    /** Returns a statement that Multimed itself answers and that no engine holds. */
    public static PreparedStatement own(byte[] sql, byte[] parameterTypes) {
        return ofNoEngine(sql, parameterTypes, false, true);
    }

    private static PreparedStatement ofNoEngine(byte[] sql, byte[] parameterTypes, boolean streamed, boolean own) {
        return new PreparedStatement("", sql, parameterTypes, null, Long.MIN_VALUE, null, null, null, streamed, own);
    }

    /** Whether Multimed itself answers it, so that no engine holds it. */
    public boolean isOwn() {
        return own;
    }

    /** Whether it was passed on without being kept. */
    public boolean isStreamed() {
        return streamed;
    }

    /** Size of its text and its parameter types, in bytes. */
    public int size() {
        return sql.length + parameterTypes.length;
    }

    /** The name under which engines hold it; empty if it is unnamed. */
    public String engineName() {
        return engineName;
    }

    /** Key that equals the key of statements with the same meaning on any loop; null if the statement is not shared. */
    public @Nullable Object meaning() {
        return meaning;
    }

    /** The SQL text in the encoding of the client. Must not be modified. */
    public byte[] sql() {
        return sql;
    }

    /** Count and type OIDs of the parameters, as the client sent them. */
    public byte[] parameterTypes() {
        return parameterTypes;
    }

    /**
     * Whether the SQL text does not show by which function Bind reads a parameter, or that this function looks names up in the
     * catalogs, which differ on a partial Satellite: a parameter of a type that is not built in, or that stands for an object's name.
     */
    public static boolean hidesInput(byte[] parameterTypes) {
        ByteBuffer types = ByteBuffer.wrap(parameterTypes);
        for (int left = Short.toUnsignedInt(types.getShort()); left > 0; left--) {
            int type = types.getInt();
            if (Integer.compareUnsigned(type, FIRST_USER_OID) >= 0 || NAME_TYPES.contains(type)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Records that the engine has refused or ignored the message that should make it the client's unnamed statement.
     *
     * @param other the client's unnamed statement, which stays; null if there is none
     */
    public void cameToNothing(@Nullable PreparedStatement other) {
        nothing = true;
        instead = other;
    }

    /** Returns this statement, or the client's unnamed statement if that has remained another one. */
    public @Nullable PreparedStatement instead() {
        return nothing ? instead : this;
    }

    /**
     * Records whether an engine holds it as its unnamed statement, as far as is known.
     *
     * @param other the statement that the engine holds instead; null if none or unknown
     */
    public void isHeld(boolean held, @Nullable Object other) {
        unheld = !held;
        heldInstead = other;
    }

    /** Returns this statement, or the object that the engine holds as its unnamed statement instead. */
    public @Nullable Object heldInstead() {
        return unheld ? heldInstead : this;
    }

    /** Its classification under this version of the catalog; null if unknown. */
    public @Nullable ClassifiedSql classified(long catalogVersion) {
        return classifiedUnder == catalogVersion ? classified : null;
    }

    /** Records its classification under this version of the catalog. */
    public void classified(ClassifiedSql result, long catalogVersion) {
        classified = result;
        classifiedUnder = catalogVersion;
    }

    /** The statements about prepared statements in it; null if it has not been searched. */
    public @Nullable List<Statement> naming() {
        return naming;
    }

    /** Records the statements about prepared statements that were found in it. */
    public void naming(List<Statement> found) {
        naming = found;
    }

    /** The settings by which the engines read its literals; null if it is not shared. */
    public @Nullable LiteralSettings literals() {
        return literals;
    }

    /** The way in which an engine resolves its names; null if only the engine that already has it may execute it. */
    public @Nullable Object names() {
        return names;
    }

    /**
     * Count and type OIDs of the parameters, for an engine that is to prepare it. Types that another engine has derived are kept.
     */
    public byte[] engineTypes() {
        Analysis known = analysis;
        if (known != null) {
            return known.parameterTypes();
        }
        return fixedTypes != null ? fixedTypes : parameterTypes;
    }

    /** The description by an engine; null before there is one. */
    public @Nullable Analysis analysis() {
        return analysis;
    }

    /** Whether engines have described both statements and their results are the same. */
    public boolean returnsAs(PreparedStatement other) {
        return analysis != null && other.analysis != null && analysis.returnsAs(other.analysis);
    }

    /** Records an engine's description, unless there is one already. */
    public void analysed(Analysis found) {
        if (analysis == null) {
            analysis = found;
        }
    }

    /**
     * Records that a client has received the answer given to another client instead of an engine's answer. The description on which
     * that answer relies is not known here.
     */
    public void answeredUnanalysed() {
        unanalysedAnswer = analysis == null;
    }

    /** Whether a client relies on a description that no engine has given here. */
    public boolean isReliedOnUnanalysed() {
        return unanalysedAnswer && analysis == null;
    }

    /** Whether an engine that prepares it under this version of the schema is known to give the recorded result. */
    public boolean isConfirmedUnder(long version) {
        return version == schemaVersion || version == confirmedUnder;
    }

    /** Records that an engine has given the same result under this version of the schema. */
    public void confirmedUnder(long version) {
        confirmedUnder = version;
    }
}
