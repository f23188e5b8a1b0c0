package io.multimed.protocol.pg;

/** The SQLSTATE codes that Multimed itself sends or acts on (PostgreSQL manual, appendix A). */
public final class SqlState {
    public static final String FEATURE_NOT_SUPPORTED = "0A000";
    public static final String TRANSACTION_RESOLUTION_UNKNOWN = "08007";
    public static final String PROTOCOL_VIOLATION = "08P01";
    public static final String INVALID_PARAMETER_VALUE = "22023";
    public static final String INVALID_AUTHORIZATION = "28000";
    public static final String INVALID_PASSWORD = "28P01";
    public static final String NO_ACTIVE_TRANSACTION = "25P01";
    public static final String IN_FAILED_TRANSACTION = "25P02";
    public static final String IDLE_IN_TRANSACTION_SESSION_TIMEOUT = "25P03";
    public static final String TRANSACTION_TIMEOUT = "25P04";
    public static final String INVALID_SQL_STATEMENT_NAME = "26000";
    public static final String INVALID_CURSOR_NAME = "34000";
    public static final String SERIALIZATION_FAILURE = "40001";
    public static final String INVALID_CATALOG_NAME = "3D000";
    public static final String INVALID_SAVEPOINT = "3B001";
    public static final String INSUFFICIENT_PRIVILEGE = "42501";
    public static final String SYNTAX_ERROR = "42601";
    public static final String UNDEFINED_OBJECT = "42704";
    public static final String UNDEFINED_FUNCTION = "42883";
    public static final String DUPLICATE_CURSOR = "42P03";
    public static final String DUPLICATE_PREPARED_STATEMENT = "42P05";
    public static final String OUT_OF_MEMORY = "53200";
    public static final String TOO_MANY_CONNECTIONS = "53300";
    public static final String CONFIGURATION_LIMIT_EXCEEDED = "53400";
    public static final String PROGRAM_LIMIT_EXCEEDED = "54000";
    public static final String OBJECT_NOT_IN_PREREQUISITE_STATE = "55000";
    public static final String OBJECT_IN_USE = "55006";
    public static final String LOCK_NOT_AVAILABLE = "55P03";
    public static final String QUERY_CANCELED = "57014";
    public static final String ADMIN_SHUTDOWN = "57P01";
    public static final String CRASH_SHUTDOWN = "57P02";
    public static final String CANNOT_CONNECT_NOW = "57P03";
    public static final String IDLE_SESSION_TIMEOUT = "57P05";
    public static final String CONFIG_FILE_ERROR = "F0000";
    public static final String INTERNAL_ERROR = "XX000";

    private SqlState() {}

    /** Whether the error may come from a name that means nothing, or something else, on one node (classes 3D, 3F and 42). */
    public static boolean concernsNames(String sqlState) {
        return sqlState.startsWith("42") || sqlState.startsWith("3D") || sqlState.startsWith("3F");
    }

    /**
     * Whether a read that failed with this SQLSTATE on a Satellite, before its first row, may succeed on the Master. The
     * Satellite refused it because it is read-only (25), cancelled it in replay (40), lacks something (53, 55), is going down
     * (57P) or is broken (58, XX).
     */
    public static boolean retryableOnMaster(String sqlState) {
        if (sqlState.length() != 5) {
            return true;
        }
        return switch (sqlState.substring(0, 2)) {
            case "25", "40", "53", "55", "58", "XX" -> true;
            case "57" -> sqlState.startsWith("57P");
            default -> false;
        };
    }
}
