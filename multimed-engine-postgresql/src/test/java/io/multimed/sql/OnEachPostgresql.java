package io.multimed.sql;

import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.TestMaster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The classifier's assumptions, checked against a Master of each release. */
@ParameterizedClass
@MethodSource("releases")
abstract class OnEachPostgresql {
    private static Path temp;
    static TestMaster master;
    private static StatementClassifier classifier;

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @BeforeParameterizedClassInvocation
    static void startMaster(EngineBinaries binaries) throws Exception {
        temp = TestEngines.directory();
        master = TestMaster.start(temp, binaries);
        classifier = new StatementClassifier(ClassifierOptions.DEFAULT);
    }

    @AfterParameterizedClassInvocation
    static void endMaster() throws Exception {
        if (classifier != null) {
            classifier.close();
        }
        if (master != null) {
            master.close();
        }
        TestEngines.delete(temp);
    }

    static Path directory() {
        return temp;
    }

    static List<List<String>> rows(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            List<List<String>> rows = new ArrayList<>();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(result.getString(i));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    static List<List<String>> rows(String query) throws SQLException {
        try (Connection connection = master.connect()) {
            return rows(connection, query);
        }
    }

    static ClassifiedSql classify(String sql, DatabaseCatalog catalog) throws Exception {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        ClassifiedSql known = classifier.classify(bytes, 0, bytes.length, catalog);
        if (known != null) {
            return known;
        }
        CompletableFuture<ClassifiedSql> future = new CompletableFuture<>();
        classifier.inquire(List.of(bytes), catalog).start(Runnable::run, texts -> future.complete(texts.getFirst()));
        return future.get(30, TimeUnit.SECONDS);
    }
}
