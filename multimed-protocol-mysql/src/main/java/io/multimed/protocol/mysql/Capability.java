package io.multimed.protocol.mysql;

/** Capability flags. The low 32 bits are MySQL's, the high 32 bits MariaDB's own, which are valid if {@link #MYSQL} is not set. */
public final class Capability {
    /** Set by MySQL and its clients. MariaDB calls it CLIENT_LONG_PASSWORD. */
    public static final long MYSQL = 1;

    public static final long FOUND_ROWS = 1 << 1;
    public static final long CONNECT_WITH_DB = 1 << 3;
    public static final long COMPRESS = 1 << 5;
    public static final long LOCAL_FILES = 1 << 7;
    public static final long PROTOCOL_41 = 1 << 9;
    public static final long INTERACTIVE = 1 << 10;
    public static final long SSL = 1 << 11;
    public static final long TRANSACTIONS = 1 << 13;
    public static final long SECURE_CONNECTION = 1 << 15;
    public static final long MULTI_STATEMENTS = 1 << 16;
    public static final long MULTI_RESULTS = 1 << 17;
    public static final long PS_MULTI_RESULTS = 1 << 18;
    public static final long PLUGIN_AUTH = 1 << 19;
    public static final long CONNECT_ATTRS = 1 << 20;
    public static final long PLUGIN_AUTH_LENENC = 1 << 21;
    public static final long EXPIRED_PASSWORDS = 1 << 22;
    public static final long SESSION_TRACK = 1 << 23;
    public static final long DEPRECATE_EOF = 1 << 24;
    /** MySQL's: the server may leave out the definitions of columns. */
    public static final long OPTIONAL_RESULTSET_METADATA = 1 << 25;

    public static final long ZSTD = 1 << 26;
    /** MySQL's: values of query attributes precede the text of a COM_QUERY. */
    public static final long QUERY_ATTRIBUTES = 1 << 27;

    public static final long MARIADB_PROGRESS = 1L << 32;
    public static final long MARIADB_BULK = 1L << 34;
    public static final long MARIADB_EXTENDED_METADATA = 1L << 35;
    public static final long MARIADB_CACHE_METADATA = 1L << 36;
    public static final long MARIADB_BULK_UNIT_RESULTS = 1L << 37;

    private Capability() {}

    public static boolean has(long capabilities, long flag) {
        return (capabilities & flag) != 0;
    }
}
