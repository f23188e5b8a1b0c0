package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;

/**
 * The messages with which a server replies to one command: where they end.
 *
 * <p>Each packet from the server is given to {@link #next}, which says whether the reply goes on. Rows are not looked into. Packets that
 * continue a split payload are recognised here. One object serves the commands of a connection one after the other.
 *
 * <p>It has more fields than other classes, since it is one state machine over the packets of a reply; the last fields are what
 * the reply said.
 */
public final class ReplyFlow {
    /** The state after a packet. */
    public enum Step {
        /** More packets come. */
        GOES_ON,
        /** The server waits for the contents of a local file, from the client. */
        AWAITS_FILE,
        /** The server waits for one more packet of authentication. */
        AWAITS_AUTHENTICATION,
        /** The reply has ended. */
        ENDED
    }

    private enum Expects {
        NOTHING,
        /** OK, an error, a number of columns, or a request for a local file. */
        RESULT,
        COLUMNS,
        END_OF_COLUMNS,
        ROWS,
        PREPARED,
        PARAMETERS_OF_PREPARED,
        END_OF_PARAMETERS,
        COLUMNS_OF_PREPARED,
        END_OF_PREPARED,
        /** Definitions of columns without their number in front. */
        FIELDS,
        ONE_PACKET,
        AUTHENTICATION
    }

    private final long capabilities;
    private final boolean deprecatesEof;
    private Expects expects = Expects.NOTHING;
    /** Definitions that are still to come. */
    private long definitions;

    private int columnsOfPrepared;
    private boolean continued;
    private int status = ServerStatus.AUTOCOMMIT;
    private boolean changedState;
    private int errorCode;
    private int warnings;
    private long rows;
    private int columns;
    private int statement;
    private int parameters;

    public ReplyFlow(long capabilities) {
        this.capabilities = capabilities;
        deprecatesEof = Capability.has(capabilities, Capability.DEPRECATE_EOF);
    }

    /** Begins the reply to a command. @return whether the server replies at all */
    public boolean begin(int command) {
        errorCode = 0;
        warnings = 0;
        rows = 0;
        columns = 0;
        columnsOfPrepared = 0;
        statement = 0;
        continued = false;
        changedState = false;
        expects = switch (command) {
            case MysqlCommand.QUIT, MysqlCommand.STMT_SEND_LONG_DATA, MysqlCommand.STMT_CLOSE -> Expects.NOTHING;
            case MysqlCommand.QUERY,
                    MysqlCommand.STMT_EXECUTE,
                    MysqlCommand.STMT_BULK_EXECUTE,
                    MysqlCommand.PROCESS_INFO -> Expects.RESULT;
            case MysqlCommand.STMT_PREPARE -> Expects.PREPARED;
            case MysqlCommand.STMT_FETCH -> Expects.ROWS;
            case MysqlCommand.FIELD_LIST -> Expects.FIELDS;
            case MysqlCommand.CHANGE_USER -> Expects.AUTHENTICATION;
            default -> Expects.ONE_PACKET;
        };
        return expects != Expects.NOTHING;
    }

    /** Begins the server's answer to a client's login. */
    public void beginLogin() {
        begin(MysqlCommand.CHANGE_USER);
    }

    /**
     * Looks at the next packet, of which all bytes must be there.
     *
     * @param start index of its payload
     * @param length of its payload
     */
    public Step next(ByteBuf in, int start, int length) throws MysqlProtocolException {
        if (expects == Expects.NOTHING) {
            throw new MysqlProtocolException("reply to no command");
        }
        boolean rest = continued;
        continued = length == Packets.MAX_LENGTH;
        if (rest || (continued && expects == Expects.ROWS)) {
            rows += rest ? 0 : 1;
            return Step.GOES_ON;
        }
        if (length == 0) {
            throw new MysqlProtocolException("empty packet");
        }
        int first = in.getUnsignedByte(start);
        if (first == Reply.ERR) {
            return error(in, start, length);
        }
        return switch (expects) {
            case RESULT -> result(in, start, length, first);
            case COLUMNS -> {
                if (--definitions == 0) {
                    expects = deprecatesEof ? Expects.ROWS : Expects.END_OF_COLUMNS;
                }
                yield Step.GOES_ON;
            }
            case END_OF_COLUMNS -> {
                status = eofStatus(in, start, length);
                if (ServerStatus.has(status, ServerStatus.CURSOR_EXISTS)) {
                    yield endOfResult();
                }
                expects = Expects.ROWS;
                yield Step.GOES_ON;
            }
            case ROWS -> {
                if (first == Reply.EOF && isEnd(length)) {
                    status = endStatus(in, start, length);
                    yield endOfResult();
                }
                rows++;
                yield Step.GOES_ON;
            }
            case PREPARED -> prepared(in, start, length);
            case PARAMETERS_OF_PREPARED -> {
                if (--definitions == 0) {
                    if (deprecatesEof) {
                        yield beginColumnsOfPrepared();
                    }
                    expects = Expects.END_OF_PARAMETERS;
                }
                yield Step.GOES_ON;
            }
            case END_OF_PARAMETERS -> beginColumnsOfPrepared();
            case COLUMNS_OF_PREPARED -> {
                if (--definitions == 0) {
                    if (deprecatesEof) {
                        yield ended();
                    }
                    expects = Expects.END_OF_PREPARED;
                }
                yield Step.GOES_ON;
            }
            case FIELDS -> {
                if (first == Reply.EOF && isEnd(length)) {
                    status = endStatus(in, start, length);
                    yield ended();
                }
                yield Step.GOES_ON;
            }
            case END_OF_PREPARED -> ended();
            case ONE_PACKET -> {
                if (first == Reply.OK && length >= 7) {
                    status = okStatus(in, start, length);
                }
                yield ended();
            }
            case AUTHENTICATION -> {
                if (first == Reply.OK) {
                    status = okStatus(in, start, length);
                    yield ended();
                }
                yield Step.AWAITS_AUTHENTICATION;
            }
            case NOTHING -> throw new MysqlProtocolException("reply to no command");
        };
    }

    /** A row that begins with 0xfe has a first value of at least 2^24 bytes, so that it fills its packet. */
    private boolean isEnd(int length) {
        return deprecatesEof ? length < Packets.MAX_LENGTH : length < 9;
    }

    private Step result(ByteBuf in, int start, int length, int first) throws MysqlProtocolException {
        if (first == Reply.OK) {
            status = okStatus(in, start, length);
            return endOfResult();
        }
        if (first == Reply.LOCAL_FILE) {
            return Step.AWAITS_FILE;
        }
        definitions = Fields.readInteger(in.slice(start, length));
        if (definitions == 0) {
            throw new MysqlProtocolException("result set without columns");
        }
        columns = columns == 0 ? (int) definitions : columns;
        boolean withoutDefinitions =
                Capability.has(capabilities, Capability.MARIADB_CACHE_METADATA) && in.getByte(start + length - 1) == 0;
        expects = !withoutDefinitions ? Expects.COLUMNS : deprecatesEof ? Expects.ROWS : Expects.END_OF_COLUMNS;
        return Step.GOES_ON;
    }

    private Step prepared(ByteBuf in, int start, int length) throws MysqlProtocolException {
        PrepareOk ok = PrepareOk.decode(in.slice(start, length));
        statement = ok.statement();
        parameters = ok.parameters();
        columnsOfPrepared = ok.columns();
        definitions = ok.parameters();
        if (definitions > 0) {
            expects = Expects.PARAMETERS_OF_PREPARED;
            return Step.GOES_ON;
        }
        return beginColumnsOfPrepared();
    }

    private Step beginColumnsOfPrepared() {
        if (columnsOfPrepared == 0) {
            return ended();
        }
        definitions = columnsOfPrepared;
        expects = Expects.COLUMNS_OF_PREPARED;
        return Step.GOES_ON;
    }

    private Step error(ByteBuf in, int start, int length) throws MysqlProtocolException {
        if (length < 3) {
            throw new MysqlProtocolException("error too short");
        }
        int code = in.getUnsignedShortLE(start + 1);
        if (code == ErrMessage.PROGRESS && Capability.has(capabilities, Capability.MARIADB_PROGRESS)) {
            return Step.GOES_ON;
        }
        errorCode = code;
        return ended();
    }

    private Step endOfResult() {
        if (ServerStatus.has(status, ServerStatus.MORE_RESULTS)) {
            expects = Expects.RESULT;
            return Step.GOES_ON;
        }
        return ended();
    }

    private Step ended() {
        expects = Expects.NOTHING;
        return Step.ENDED;
    }

    private int eofStatus(ByteBuf in, int start, int length) throws MysqlProtocolException {
        if (length < 5 || in.getUnsignedByte(start) != Reply.EOF) {
            throw new MysqlProtocolException("no end of columns");
        }
        warnings = in.getUnsignedShortLE(start + 1);
        int present = in.getUnsignedShortLE(start + 3);
        changedState |= ServerStatus.has(present, ServerStatus.SESSION_STATE_CHANGED);
        return present;
    }

    private int endStatus(ByteBuf in, int start, int length) throws MysqlProtocolException {
        return deprecatesEof ? okStatus(in, start, length) : eofStatus(in, start, length);
    }

    private int okStatus(ByteBuf in, int start, int length) throws MysqlProtocolException {
        int at = start + 1;
        int end = start + length;
        for (int number = 0; number < 2; number++) {
            if (at >= end) {
                throw new MysqlProtocolException("message too short");
            }
            at += switch (in.getUnsignedByte(at)) {
                case 0xfc -> 3;
                case 0xfd -> 4;
                case 0xfe -> 9;
                default -> 1;
            };
        }
        if (at + 2 > end) {
            throw new MysqlProtocolException("message too short");
        }
        warnings = at + 4 <= end ? in.getUnsignedShortLE(at + 2) : 0;
        return in.getUnsignedShortLE(at);
    }

    /** Whether a packet with this first byte, in the present state, is an OK with the session's changes. */
    public boolean mayBeOk(int first, int length) {
        return switch (expects) {
            case RESULT, ONE_PACKET, AUTHENTICATION -> first == Reply.OK;
            case ROWS -> deprecatesEof && first == Reply.EOF && length < Packets.MAX_LENGTH && !continued;
            default -> false;
        };
    }

    /** Whether a reply is under way. */
    public boolean isUnderWay() {
        return expects != Expects.NOTHING;
    }

    /** Ends the wait for the rest of a reply. */
    public void abandon() {
        expects = Expects.NOTHING;
    }

    /** Returns the server's status after the last OK or EOF. */
    public int status() {
        return status;
    }

    /** Whether an EOF has told that the session's state has changed. An EOF, unlike an OK, does not tell the change. */
    public boolean changedStateSilently() {
        return changedState;
    }

    /** Returns the code of the error with which the reply has ended; 0 if with none. */
    public int errorCode() {
        return errorCode;
    }

    /** Returns the number of warnings that the last OK or EOF of the reply tells. */
    public int warnings() {
        return warnings;
    }

    /** Returns the number of rows so far. */
    public long rows() {
        return rows;
    }

    /** Returns the number of columns of the reply's first result; 0 if there is none. */
    public int columns() {
        return columns;
    }

    /** Returns the number of the statement that was prepared. */
    public int statement() {
        return statement;
    }

    /** Returns how many parameters the statement that was prepared has. */
    public int parameters() {
        return parameters;
    }

    /** Returns how many columns the results of the statement that was prepared have; 0 for none. */
    public int columnsOfPrepared() {
        return columnsOfPrepared;
    }
}
