package io.multimed.endpoint.pg.session;

import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.NotRead;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what the SQL of a session's messages may do. Every answer is null while that is not known yet: the session
 * then waits, and asks again.
 */
final class Classifying implements SegmentScanner.Statements {
    private static final int CATALOG_POLL_MILLIS = 2;

    private final LoopContext loop;
    private final Session session;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Waiting waiting;
    private final Unit unit;
    private final ClientStatements prepared;

    Classifying(
            LoopContext loop,
            Session session,
            Exchange exchange,
            TransactionBlock block,
            Waiting waiting,
            Unit unit,
            ClientStatements prepared) {
        this.loop = loop;
        this.session = session;
        this.exchange = exchange;
        this.block = block;
        this.waiting = waiting;
        this.unit = unit;
        this.prepared = prepared;
    }

    /** The SQL of a Query message. */
    @Nullable
    ClassifiedSql classify(ByteBuf in, int index, int length) {
        byte[] sql = loop.scratch(length);
        in.getBytes(index, sql, 0, length);
        return classify(sql, length);
    }

    @Override
    public @Nullable ClassifiedSql classify(byte[] sql) {
        return classify(sql, sql.length);
    }

    @Override
    public @Nullable PreparedStatement named(String name) {
        return prepared.get(name);
    }

    @Override
    public @Nullable ClassifiedSql classify(PreparedStatement statement) {
        if (statement.isStreamed() || PreparedStatement.namesUserType(statement.parameterTypes())) {
            return ClassifiedSql.UNPARSED;
        }
        DatabaseCatalog catalog = catalog();
        ClassifiedSql known = statement.classified(catalog.version());
        if (known == null) {
            // An answer that was waited for may be one of impatience, and what is unknown will be known.
            boolean lasting =
                    !unit.answers(statement.sql(), statement.sql().length) && catalog != DatabaseCatalog.UNKNOWN;
            known = classify(statement.sql(), statement.sql().length);
            if (known != null && lasting) {
                statement.classified(known, catalog.version());
            }
        }
        return known;
    }

    private DatabaseCatalog catalog() {
        return loop.services().schemas().catalog(session.key().database());
    }

    private @Nullable ClassifiedSql classify(byte[] sql, int length) {
        ClassifiedSql answer = unit.answers(sql, length) ? unit.answer : null;
        if (unit.cancelled) {
            return answer != null ? answer : ClassifiedSql.UNPARSED;
        }
        if (!StatementClassifier.understands(exchange.clientEncoding(), sql, length)) {
            return ClassifiedSql.UNPARSED;
        }
        DatabaseCatalog catalog = catalog();
        // The catalog may have changed while the parser was asked.
        if (answer != null && unit.answeredWith == catalog && !isWorthWaitingForCatalog(answer, catalog)) {
            return answer;
        }
        StatementClassifier classifier = loop.services().classifier();
        ClassifiedSql known = classifier.classify(sql, 0, length, catalog);
        if (known != null) {
            return isWorthWaitingForCatalog(known, catalog) ? awaitCatalog() : known;
        }
        if (exchange.onMaster() && (block.isOpen() || !exchange.onlyInternal())) {
            // It runs on the Master anyway, and what it leaves behind will be asked; the next of its shape is
            // understood.
            classifier.whenClassified(sql, 0, length, catalog, Runnable::run, result -> {});
            return ClassifiedSql.UNPARSED;
        }
        waiting.begin(Wait.CLASSIFICATION);
        byte[] asked = Arrays.copyOf(sql, length);
        classifier.whenClassified(asked, 0, length, catalog, loop.loop(), result -> {
            unit.answer(asked, catalog, result);
            session.resume(Wait.CLASSIFICATION);
        });
        return null;
    }

    /** Whether it was not understood only because the catalog is being read, and that can still be waited for. */
    private boolean isWorthWaitingForCatalog(ClassifiedSql sql, DatabaseCatalog catalog) {
        if (catalog.version() != DatabaseCatalog.UNKNOWN.version() || exchange.onMaster() && !exchange.onlyInternal()) {
            return false;
        }
        if (!exchange.isBound() && block.isOpen() && !block.isReadOnly()) {
            // The Master executes it whatever it is.
            return false;
        }
        if (sql.statements().stream().noneMatch(this::mayBeUnderstood)) {
            return false;
        }
        long patience = (exchange.isBound()
                        ? loop.options().timeouts().master()
                        : loop.options().timeouts().freshness())
                .toNanos();
        return loop.nanoTime() - unit.arrived(loop.nanoTime()) < patience;
    }

    /** Whether more is said of it when the catalog is known, which matters where it is to be executed. */
    private boolean mayBeUnderstood(Statement statement) {
        // Bound to a Satellite: a plain write is refused by the engine, anything else that may write by Multimed.
        return statement instanceof Statement.Update update
                && (update.reason() == NotRead.UNPARSED
                        || update.reason() == NotRead.MAY_WRITE && exchange.isBound() && !exchange.onMaster());
    }

    private @Nullable ClassifiedSql awaitCatalog() {
        waiting.begin(Wait.CATALOG);
        waiting.alarmIn(CATALOG_POLL_MILLIS, () -> session.resume(Wait.CATALOG));
        return null;
    }
}
