package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.CopyProgress;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.catalog.CatalogReader;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Statements that count as reads, executed on a Satellite. */
@Tag("slow")
class ReadsOnPostgresqlTest extends OnEachPostgresql {
    private static final Path CORPORA = Path.of("../multimed-sql/src/test/resources/io/multimed/sql");

    private static SatelliteCluster satellite;

    ReadsOnPostgresqlTest(EngineBinaries binaries) {
        assertEquals(binaries, master.binaries());
    }

    @BeforeParameterizedClassInvocation
    static void startSatellite(EngineBinaries binaries) throws Exception {
        master.execute("""
                CREATE TABLE t (a int PRIMARY KEY, b int, c text, d jsonb, e text[], "b c" numeric);
                INSERT INTO t SELECT g, g % 7, 'c' || g, '{"x": 1}', ARRAY['e'], g / 3.0 FROM generate_series(1, 100) g;
                CREATE VIEW good_view AS SELECT a, b FROM t;
                """);
        satellite = master.satellite(directory(), directory().resolve("satellite-1"), false, () -> Long.MAX_VALUE);
        satellite.copyFromMaster(CopyProgress.SILENT);
        satellite.start(() -> {});
        master.awaitReplay(satellite.address());
    }

    @AfterParameterizedClassInvocation
    static void endSatellite() {
        if (satellite != null) {
            satellite.kill();
        }
    }

    /** Returns a statement's outcome: an SQLSTATE, or the number of rows. */
    private static String outcome(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.setQueryTimeout(20);
            boolean more = statement.execute(sql);
            StringBuilder outcome = new StringBuilder();
            while (more || statement.getUpdateCount() >= 0) {
                int rows = 0;
                if (more) {
                    try (ResultSet result = statement.getResultSet()) {
                        while (result.next()) {
                            rows++;
                        }
                    }
                }
                outcome.append(more ? rows + " rows " : "done ");
                more = statement.getMoreResults();
            }
            return outcome.toString();
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    private static List<String> corpus(String file) throws Exception {
        List<String> statements = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        for (String line : Files.readAllLines(CORPORA.resolve(file))) {
            if (sql.isEmpty() && (line.isBlank() || line.startsWith("#"))) {
                continue;
            }
            int arrow = line.lastIndexOf("-->");
            sql.append(line, 0, arrow < 0 ? line.length() : arrow).append('\n');
            if (arrow >= 0) {
                statements.add(sql.toString());
                sql.setLength(0);
            }
        }
        return statements;
    }

    @Test
    void readsAnswerOnASatelliteAsOnTheMasterAndLeaveNothing() throws Exception {
        List<String> statements = new ArrayList<>();
        for (String file : List.of("statements.txt", "applications.txt", "psql.txt")) {
            statements.addAll(corpus(file));
        }
        for (int seed = 0; seed < 200; seed++) {
            statements.add(new QueryMaker(new Random(seed)).query());
        }
        Map<String, String> differing = new TreeMap<>();
        int executed = 0;
        int answered = 0;
        try (Connection onMaster = master.connect();
                Connection onSatellite = AdminConnection.open(satellite.address(), "postgres", "postgres")) {
            DatabaseCatalog catalog = CatalogReader.read(onMaster);
            String leftBefore = left(onSatellite);
            for (String sql : statements) {
                // COPY needs a driver that plays along, parameters a Parse message; samples are random.
                if (!classify(sql, catalog).isReadOnly()
                        || sql.matches("(?s).*\\$\\d.*|(?i)\\s*copy.*|(?is).*tablesample.*")) {
                    continue;
                }
                executed++;
                String there = outcome(onSatellite, sql);
                String here = outcome(onMaster, sql);
                answered += there.contains("rows") ? 1 : 0;
                if (!here.equals(there) || here.equals("25006")) {
                    differing.put(sql, here + " but " + there);
                }
            }
            assertEquals(leftBefore, left(onSatellite));
        }
        assertEquals(Map.of(), differing);
        assertTrue(executed > 250 && answered > 150, executed + " executed, " + answered + " answered");
    }

    /** Returns the remains that a session may have left in its backend. */
    private static String left(Connection connection) throws SQLException {
        return rows(
                        connection,
                        "SELECT (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'),"
                                + " pg_my_temp_schema(), (SELECT count(*) FROM pg_cursors WHERE is_holdable),"
                                + " (SELECT count(*) FROM pg_listening_channels()),"
                                + " (SELECT count(*) FROM pg_prepared_statements WHERE from_sql),"
                                + " (SELECT md5(string_agg(name || setting, ' ' ORDER BY name)) FROM pg_settings"
                                + " WHERE context IN ('user', 'superuser'))")
                .toString();
    }
}
