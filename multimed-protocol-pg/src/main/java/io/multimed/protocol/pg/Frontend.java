package io.multimed.protocol.pg;

/** Types and length bounds of the messages that a client sends. */
public final class Frontend {
    public static final byte BIND = 'B';
    public static final byte CLOSE = 'C';
    public static final byte COPY_DATA = 'd';
    public static final byte COPY_DONE = 'c';
    public static final byte COPY_FAIL = 'f';
    public static final byte DESCRIBE = 'D';
    public static final byte EXECUTE = 'E';
    public static final byte FLUSH = 'H';
    public static final byte FUNCTION_CALL = 'F';
    public static final byte PARSE = 'P';
    /** Type of PasswordMessage, SASLInitialResponse and SASLResponse. */
    public static final byte PASSWORD = 'p';

    public static final byte QUERY = 'Q';
    public static final byte SYNC = 'S';
    public static final byte TERMINATE = 'X';

    /** PostgreSQL's PQ_SMALL_MESSAGE_LIMIT (libpq.h), for messages without free text or data. */
    private static final int SMALL = 10_000;
    /** PostgreSQL's PQ_LARGE_MESSAGE_LIMIT: MaxAllocSize - 1. */
    private static final int LARGE = 0x3fffffff - 1;
    /** PG_MAX_AUTH_TOKEN_LENGTH (auth.h). */
    public static final int MAX_AUTH_TOKEN = 65_535;

    private Frontend() {}

    /**
     * Checks a message header as PostgreSQL's SocketBackend does: type first, then length.
     *
     * @param length the length field, which counts itself but not the type
     */
    public static void checkHeader(byte type, int length) throws ProtocolException {
        int limit = switch (type) {
            case QUERY, PARSE, BIND, FUNCTION_CALL, COPY_DATA -> LARGE;
            case CLOSE, DESCRIBE, EXECUTE, FLUSH, SYNC, TERMINATE, COPY_DONE, COPY_FAIL -> SMALL;
            default ->
                throw ProtocolException.fatal(
                        SqlState.PROTOCOL_VIOLATION, "invalid frontend message type " + (type & 0xff));
        };
        if (length < 4 || length > limit) {
            throw ProtocolException.framing("invalid message length " + length);
        }
    }
}
