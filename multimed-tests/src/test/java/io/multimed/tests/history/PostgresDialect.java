package io.multimed.tests.history;

import io.multimed.tests.history.HistorySession.Failed;
import java.util.List;

/** The SQL of PostgreSQL. */
final class PostgresDialect implements Dialect {
    @Override
    public List<Writer.Form> forms() {
        return List.of(Writer.Form.values());
    }

    @Override
    public void changeAtOnce(HistorySession session, long id, int register) throws Failed {
        session.execute("WITH changed AS (" + Writer.SET + ") " + Writer.ADD, id, register, id);
    }

    @Override
    public String procedure(String changes) {
        return "DO $$ BEGIN " + changes + "COMMIT; END $$";
    }

    @Override
    public String prepare(String changes, int writer, long id) {
        return "BEGIN; " + changes + "PREPARE TRANSACTION '" + gid(writer, id) + "'";
    }

    @Override
    public String commitPrepared(int writer, long id) {
        return "COMMIT PREPARED '" + gid(writer, id) + "'";
    }

    private static String gid(int writer, long id) {
        return "history-" + writer + "-" + id;
    }

    @Override
    public void rollBackPrepared(HistorySession session, int writer) throws Failed {
        for (long[] id : session.query("SELECT split_part(gid, '-', 3)::bigint FROM pg_prepared_xacts "
                + "WHERE database = current_database() AND gid LIKE 'history-" + writer + "-%'")) {
            session.executeTogether("ROLLBACK PREPARED '" + gid(writer, id[0]) + "'");
        }
    }

    /** REPEATABLE READ alone finds the conflict. */
    @Override
    public String beforeOverwriting(String query) {
        return query;
    }

    /** After a shutdown or a cancel, the commit record may have been written before. */
    @Override
    public boolean settled(String sqlState) {
        return !sqlState.startsWith("57") && !sqlState.startsWith("08") && !sqlState.startsWith("XX");
    }
}
