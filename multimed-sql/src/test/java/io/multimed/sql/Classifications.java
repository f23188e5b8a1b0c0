package io.multimed.sql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** Helpers with which tests call a classifier. */
final class Classifications {
    private Classifications() {}

    static ClassifiedSql classify(StatementClassifier classifier, String sql, DatabaseCatalog catalog) {
        return classify(classifier, sql.getBytes(StandardCharsets.UTF_8), catalog);
    }

    static ClassifiedSql classify(StatementClassifier classifier, byte[] sql, DatabaseCatalog catalog) {
        ClassifiedSql known = classifier.classify(sql, 0, sql.length, catalog);
        if (known != null) {
            return known;
        }
        CompletableFuture<ClassifiedSql> future = new CompletableFuture<>();
        classifier.inquire(List.of(sql), catalog).start(Runnable::run, texts -> future.complete(texts.get(0)));
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(new String(sql, StandardCharsets.UTF_8), e);
        }
    }

    /**
     * Returns {@code read}, {@code read momentary}, {@code may_write opaque}, {@code master_only} and so on, joined for several
     * statements.
     */
    static String describe(ClassifiedSql classified) {
        return classified.statements().stream().map(Classifications::describe).collect(Collectors.joining("; "));
    }

    private static String describe(Statement statement) {
        if (statement instanceof Statement.Read read) {
            return read.momentary() ? "read momentary" : "read";
        }
        if (statement instanceof Statement.Update update) {
            String reason = update.reason().name().toLowerCase(java.util.Locale.ROOT);
            String effect = update.effect() == SessionEffect.NONE
                    ? ""
                    : " " + update.effect().name().toLowerCase(java.util.Locale.ROOT);
            return reason
                    + effect
                    + (update.asksSequence() ? " sequence" : "")
                    + (update.asksChannels() ? " channels" : "");
        }
        if (statement instanceof Statement.DeclareCursor cursor) {
            return "cursor " + cursor.name() + (cursor.hold() ? " hold " : " ") + describe(cursor.query());
        }
        return statement.toString().replace("Optional.empty", "-").replaceAll("Optional\\[(\\w+)]", "$1");
    }
}
