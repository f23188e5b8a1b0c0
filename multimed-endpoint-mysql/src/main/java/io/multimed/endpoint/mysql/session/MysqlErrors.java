package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.Packets;
import io.netty.buffer.ByteBuf;

/** Errors of Multimed's own. */
public final class MysqlErrors {
    /** As MariaDB says it. */
    public static final ErrMessage BAD_HANDSHAKE = new ErrMessage(1043, "08S01", "Bad handshake");

    /** As MariaDB says it. */
    public static final ErrMessage TOO_MANY_CLIENTS = new ErrMessage(1040, "08004", "Too many connections");

    /** As MariaDB says it. */
    static final ErrMessage INSECURE = new ErrMessage(
            3159, "08004", "Connections using insecure transport are prohibited while --require_secure_transport=ON.");

    static final ErrMessage CIPHER = new ErrMessage(
            1045,
            "28000",
            "Multimed: the account requires a cipher, which the Master cannot know of clients of Multimed; use REQUIRE SSL");

    static final ErrMessage NO_MASTER = new ErrMessage(1053, "08S01", "Multimed: the Master is not available");
    static final ErrMessage NOT_AGAIN = new ErrMessage(
            1927,
            "70100",
            "Multimed: the session had given up its connection to the Master, and cannot log in again as it has before");
    static final ErrMessage NO_ACCOUNTS =
            new ErrMessage(1053, "08S01", "Multimed: the Master's accounts cannot be read");
    static final ErrMessage UNIX_SOCKET = new ErrMessage(
            1698,
            "28000",
            "Multimed: the account is identified by unix_socket, which does not hold for clients of Multimed;"
                    + " give it a password too: ALTER USER … IDENTIFIED VIA mysql_native_password USING PASSWORD('…') OR unix_socket");
    static final ErrMessage EXPIRED =
            new ErrMessage(1862, "HY000", "Multimed: the password has expired; change it on the Master's own socket");
    static final ErrMessage NOT_VISIBLE =
            new ErrMessage(1205, "HY000", "Multimed: the Master does not show what Satellites have shown; try again");
    static final ErrMessage SATELLITE_LOST =
            new ErrMessage(1213, "40001", "Multimed: the Satellite that executed the read has ended; try again");
    static final ErrMessage BOUND_TO_SATELLITE = new ErrMessage(
            1213,
            "40001",
            "Multimed: the transaction has read on a Satellite, which cannot execute the statement;"
                    + " it was rolled back, and the next one runs on the Master: try again");

    /** As MariaDB says it. */
    static final ErrMessage NOT_PREPARED = new ErrMessage(1615, "HY000", "Prepared statement needs to be re-prepared");

    /** The code of the error that there are too many prepared statements. */
    static final int TOO_MANY_STATEMENTS = 1461;

    static final ErrMessage UNCLEAR = new ErrMessage(
            1064,
            "42000",
            "Multimed understands, alone: SHOW MULTIMED NODES, POOLS, ROUTES, STATS, WAITS or VERSION;"
                    + " SHOW multimed.route, freshness, max_lag or reads; SET multimed.freshness = 'session' and the like");
    static final ErrMessage FAILED =
            new ErrMessage(1105, "HY000", "Multimed: the table could not be made; its log has the reason");
    static final ErrMessage NO_CURSOR = new ErrMessage(1421, "HY000", "Multimed: the statement has no open cursor");

    private MysqlErrors() {}

    /** As MariaDB says it. */
    static ErrMessage noCursor(int statement) {
        return new ErrMessage(
                1421, "24000", "The statement (" + Integer.toUnsignedString(statement) + ") has no open cursor");
    }

    /** As MariaDB says it. */
    static ErrMessage tooManyStatements(long most) {
        return new ErrMessage(
                TOO_MANY_STATEMENTS,
                "42000",
                "Can't create more than max_prepared_stmt_count statements (current value: " + most + ")");
    }

    static ErrMessage unknownSetting(String name) {
        return new ErrMessage(
                1193,
                "HY000",
                "Unknown system variable 'multimed." + name
                        + "'; Multimed knows multimed.freshness, multimed.max_lag, multimed.reads and multimed.route");
    }

    static ErrMessage readOnlySetting(String name) {
        return new ErrMessage(1238, "HY000", "Variable 'multimed." + name + "' is a read only variable");
    }

    static ErrMessage sessionSetting(String name) {
        return new ErrMessage(
                1228,
                "HY000",
                "Variable 'multimed." + name + "' is a SESSION variable; for all sessions, set reads in multimed.toml");
    }

    static ErrMessage wrongValue(String name, String value, String allowed) {
        return new ErrMessage(
                1231,
                "42000",
                "Variable 'multimed." + name + "' can't be set to the value of '" + value + "'; allowed: " + allowed);
    }

    /** Appends the packet. */
    public static void write(ByteBuf out, int sequence, ErrMessage error) {
        int begun = Packets.begin(out, sequence);
        error.encode(out);
        Packets.end(out, begun);
    }
}
