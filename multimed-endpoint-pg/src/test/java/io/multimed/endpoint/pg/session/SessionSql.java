package io.multimed.endpoint.pg.session;

import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Classifies SQL into statements like a session, in a database without any objects. */
public final class SessionSql implements AutoCloseable {
    private final StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT);

    public List<Statement> statements(String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        ClassifiedSql known = classifier.classify(bytes, 0, bytes.length, DatabaseCatalog.EMPTY);
        if (known == null) {
            CompletableFuture<ClassifiedSql> later = new CompletableFuture<>();
            classifier
                    .inquire(List.of(bytes), DatabaseCatalog.EMPTY)
                    .start(Runnable::run, texts -> later.complete(texts.getFirst()));
            known = later.join();
        }
        return known.statements();
    }

    @Override
    public void close() {
        classifier.close();
    }
}
