package io.multimed.endpoint.pg.session.intake;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.placing.Unit;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
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
    private final SessionControl owner;
    private final String database;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Waiting waiting;
    private final Unit unit;
    private final ClientStatements prepared;

    Classifying(
            SessionContext session, ExchangeParts parts, TransactionBlock block, Unit unit, ClientStatements prepared) {
        loop = session.loop();
        owner = session.owner();
        database = session.key().database();
        exchange = parts.exchange();
        this.block = block;
        waiting = parts.waiting();
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
            byte[] sql = statement.sql();
            known = classify(sql, sql.length);
            if (known != null && catalog != DatabaseCatalog.UNKNOWN && known.equals(ofShape(sql, catalog))) {
                statement.classified(known, catalog.version());
            }
        }
        return known;
    }

    /**
     * What is said of such statements for good. Not so an answer of impatience, or that it does not matter since the Master
     * executes it anyway.
     */
    private @Nullable ClassifiedSql ofShape(byte[] sql, DatabaseCatalog catalog) {
        return loop.services().classifier().classify(sql, 0, sql.length, catalog);
    }

    private DatabaseCatalog catalog() {
        return loop.services().schemas().catalog(database);
    }

    private @Nullable ClassifiedSql classify(byte[] sql, int length) {
        ClassifiedSql answer = unit.answerTo(sql, length);
        if (unit.isCancelled()) {
            return answer != null ? answer : ClassifiedSql.UNPARSED;
        }
        if (!StatementClassifier.understands(exchange.clientEncoding(), sql, length)) {
            return ClassifiedSql.UNPARSED;
        }
        DatabaseCatalog catalog = catalog();
        // The catalog may have changed while the parser was asked.
        if (answer != null && unit.isAnsweredWith(catalog) && !isWorthWaitingForCatalog(answer, catalog)) {
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
            owner.resume(Wait.CLASSIFICATION);
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
        waiting.alarmIn(CATALOG_POLL_MILLIS, () -> owner.resume(Wait.CATALOG));
        return null;
    }
}
