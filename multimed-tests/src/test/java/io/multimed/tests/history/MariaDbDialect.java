package io.multimed.tests.history;

import io.multimed.tests.history.HistorySession.Failed;
import java.util.List;

/** The SQL of MariaDB. */
final class MariaDbDialect implements Dialect {
    /** Decimal digits of a global transaction ID that are the writer's. */
    private static final long WRITERS = 100;

    /** The function of {@link #changeAtOnce}. */
    static final String FUNCTION = """
            CREATE FUNCTION changed(of_transaction BIGINT, of_register INT) RETURNS INT MODIFIES SQL DATA
            BEGIN
                UPDATE register SET v = of_transaction WHERE k = of_register;
                INSERT INTO entry VALUES (of_transaction);
                RETURN 1;
            END""";

    /**
     * There is no implicit transaction of two statements. XA is left out: MariaDB makes the commit of a prepared transaction visible after
     * later ones of its binary log.
     */
    @Override
    public List<Writer.Form> forms() {
        return List.of(
                Writer.Form.BLOCK,
                Writer.Form.READ_FIRST,
                Writer.Form.AUTOCOMMIT,
                Writer.Form.ONE_STRING,
                Writer.Form.PROCEDURE,
                Writer.Form.CHAINED);
    }

    @Override
    public void changeAtOnce(HistorySession session, long id, int register) throws Failed {
        session.query("SELECT changed(?, ?)", id, register);
    }

    @Override
    public String procedure(String changes) {
        return "BEGIN NOT ATOMIC START TRANSACTION; " + changes + "COMMIT; END";
    }

    @Override
    public String prepare(String changes, int writer, long id) {
        String gid = gid(writer, id);
        return "XA START " + gid + "; " + changes + "XA END " + gid + "; XA PREPARE " + gid;
    }

    @Override
    public String commitPrepared(int writer, long id) {
        return "XA COMMIT " + gid(writer, id);
    }

    private static String gid(int writer, long id) {
        return "'" + (id * WRITERS + writer) + "'";
    }

    @Override
    public void rollBackPrepared(HistorySession session, int writer) throws Failed {
        for (long[] prepared : session.query("XA RECOVER")) {
            long gid = prepared[3];
            if (gid % WRITERS == writer) {
                session.executeTogether("XA ROLLBACK '" + gid + "'");
            }
        }
    }

    /** REPEATABLE READ lets a transaction overwrite what it has not seen. */
    @Override
    public String beforeOverwriting(String query) {
        return query + " FOR UPDATE";
    }

    /** A deadlock, a refused or a malformed statement. */
    @Override
    public boolean settled(String sqlState) {
        return sqlState.equals("40001") || sqlState.startsWith("42") || sqlState.startsWith("23");
    }
}
