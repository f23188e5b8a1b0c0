package io.multimed.engine.postgresql.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.TestMaster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The digest changes with all that changes answers from the carried tables, and with nothing else. */
@Tag("slow")
class CatalogDigestTest {
    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    private static TestMaster start(Path directory, EngineBinaries binaries) throws Exception {
        return TestMaster.start(directory, binaries, Map.of("max_prepared_transactions", "5"));
    }

    @ParameterizedTest
    @MethodSource("releases")
    void changesWithAnswersAlone(EngineBinaries binaries) throws Exception {
        Path temp = TestEngines.directory();
        try (TestMaster master = start(temp, binaries);
                Connection reader = master.connect();
                Connection client = master.connect();
                Statement statement = client.createStatement()) {
            for (String sql : CatalogStatements.SETUP) {
                statement.execute(sql);
            }
            List<String> wrong = new ArrayList<>();
            CatalogDigest before = CatalogStatements.CARRIED.catalogs(reader);
            List<Long> tables = before.tables();
            for (String line : CatalogStatements.all(client.getMetaData().getDatabaseMajorVersion())) {
                try {
                    statement.execute(CatalogStatements.sql(line));
                } catch (SQLException e) {
                    wrong.add(line + ": " + e.getMessage());
                    continue;
                }
                CatalogDigest after = CatalogDigest.read(reader, tables);
                List<String> differences = before.differences(after);
                if (differences.isEmpty() == CatalogStatements.changes(line)) {
                    wrong.add(line + ": " + differences);
                }
                before = after;
            }
            assertEquals(List.of(), wrong);
        } finally {
            TestEngines.delete(temp);
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void namesWhatHasChanged(EngineBinaries binaries) throws Exception {
        Path temp = TestEngines.directory();
        try (TestMaster master = start(temp, binaries);
                Connection reader = master.connect()) {
            for (String sql : CatalogStatements.SETUP) {
                master.execute(sql);
            }
            CatalogDigest before = CatalogStatements.CARRIED.catalogs(reader);
            for (String sql : List.of(
                    "ALTER TABLE shop.item ENABLE ROW LEVEL SECURITY",
                    "ALTER ROLE clerk CREATEDB",
                    "ALTER FUNCTION shop.twice STABLE",
                    "ALTER FUNCTION abs(int) VOLATILE")) {
                master.execute(sql);
            }
            List<String> names = before.differences(CatalogStatements.CARRIED.catalogs(reader));
            assertEquals(List.of("pg_class shop.item", "pg_proc", "pg_proc twice", "pg_authid clerk"), names);
            assertTrue(CatalogDigest.text(names).contains("pg_authid clerk"));
        } finally {
            TestEngines.delete(temp);
        }
    }
}
