package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.AutocommitRead;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.SchemaWatch;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.NotRead;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Determines the effects that the SQL of a session's messages may have. An answer is null while it is not known yet. Once the whole
 * unit has been examined, {@link #findOut} asks for all missing answers, and the session waits and examines the unit again.
 *
 * <p>It has more fields than other classes, since an answer may lie in each of the places where a statement can have been
 * classified before.
 */
public final class Classifying implements SegmentScanner.Statements {
    private final LoopContext loop;
    private final Supplier<DatabaseCatalog> catalogs;
    private final StatementClassifier classifier;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final AutocommitRead own;
    private final Unit unit;
    private final ClientStatements prepared;
    private final Learning learning;
    private final AwaitingCatalog awaitingCatalog;
    private final AwaitingClassification classification;
    private final SchemaWatch schema;
    /** The texts of the unit that are not classified yet. */
    private final List<byte[]> unknown = new ArrayList<>();
    /** Whether one of its texts would be understood better if the catalog had been read. */
    private boolean catalogWanted;

    /**
     * Creates the classification for a session.
     *
     * @param catalogs returns the present catalog of the session's database
     */
    public Classifying(
            LoopContext loop,
            StatementClassifier classifier,
            Supplier<DatabaseCatalog> catalogs,
            Exchange exchange,
            TransactionBlock block,
            AutocommitRead own,
            Unit unit,
            ClientStatements prepared,
            Learning learning,
            AwaitingCatalog awaitingCatalog,
            AwaitingClassification classification,
            SchemaWatch schema) {
        this.loop = loop;
        this.classifier = classifier;
        this.catalogs = catalogs;
        this.exchange = exchange;
        this.block = block;
        this.own = own;
        this.unit = unit;
        this.prepared = prepared;
        this.learning = learning;
        this.awaitingCatalog = awaitingCatalog;
        this.classification = classification;
        this.schema = schema;
    }

    /**
     * Classifies the SQL of a Query message.
     *
     * @return null if the session has to wait for it
     */
    @Nullable
    ClassifiedSql query(ByteBuf in, int index, int length) {
        ClassifiedSql known;
        do {
            begin();
            // Other sessions may use the scratch array in the meantime.
            byte[] sql = loop.scratch(length);
            in.getBytes(index, sql, 0, length);
            known = classify(sql, length);
        } while (known == null && findOut());
        return known;
    }

    /**
     * Classifies a text that a statement of the unit contains.
     *
     * @return null if the session has to wait for it
     */
    @Nullable
    ClassifiedSql text(byte[] sql) {
        ClassifiedSql known;
        do {
            begin();
            known = classify(sql);
        } while (known == null && findOut());
        return known;
    }

    /** Begins the examination of a unit. */
    void begin() {
        schema.examine();
        unknown.clear();
        catalogWanted = false;
    }

    /**
     * Asks for the missing answers about the examined unit.
     *
     * @return whether to examine it again at once; otherwise the session has begun to wait
     */
    boolean findOut() {
        if (catalogWanted) {
            awaitingCatalog.begin();
            return false;
        }
        return classification.findOut(List.copyOf(unknown), catalogs.get());
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
        if (statement.isStreamed() || PreparedStatement.hidesInput(statement.parameterTypes())) {
            return ClassifiedSql.UNPARSED;
        }
        DatabaseCatalog catalog = catalogs.get();
        ClassifiedSql known = statement.classified(classifier.version(catalog));
        if (known == null) {
            byte[] sql = statement.sql();
            known = classify(sql, sql.length);
            if (known != null && catalog != DatabaseCatalog.UNKNOWN && known.equals(ofShape(sql, catalog))) {
                statement.classified(known, classifier.version(catalog));
            }
        }
        return known;
    }

    /**
     * Returns the permanent classification of such statements. It excludes answers that were given because the time was up, or
     * because the Master executes the statement anyway.
     */
    private @Nullable ClassifiedSql ofShape(byte[] sql, DatabaseCatalog catalog) {
        return classifier.classify(sql, 0, sql.length, catalog);
    }

    private @Nullable ClassifiedSql classify(byte[] sql, int length) {
        ClassifiedSql answer = unit.hasAsked() ? unit.asked().answerTo(sql, length) : null;
        if (unit.stopped() != null) {
            return answer != null ? answer : ClassifiedSql.UNPARSED;
        }
        if (!StatementClassifier.understands(exchange.clientEncoding(), sql, length)) {
            return ClassifiedSql.UNPARSED;
        }
        DatabaseCatalog catalog = catalogs.get();
        // The catalog may have changed while the parser was asked.
        if (answer != null
                && unit.asked().isFoundWith(catalog)
                && !(catalog == DatabaseCatalog.UNKNOWN && isWorthWaitingForCatalog(answer))) {
            return answer;
        }
        ClassifiedSql known = classifier.classify(sql, 0, length, catalog);
        if (known != null) {
            if (catalog == DatabaseCatalog.UNKNOWN && isWorthWaitingForCatalog(known)) {
                catalogWanted = true;
                return null;
            }
            return known;
        }
        if (exchange.onMaster() && (block.isOpen() || !exchange.onlyInternal())) {
            // The Master executes it anyway, and its residue will be asked for.
            learning.of(sql, length, catalog);
            return ClassifiedSql.notUnderstood(sql, length);
        }
        if (unit.asked().isExhausted()) {
            return ClassifiedSql.notUnderstood(sql, length);
        }
        unknown.add(Arrays.copyOf(sql, length));
        return null;
    }

    /**
     * Whether the statement, classified while the catalog is unknown, was not understood only for that reason, and the session can
     * still wait for the catalog.
     */
    private boolean isWorthWaitingForCatalog(ClassifiedSql sql) {
        if (exchange.onMaster() && !exchange.onlyInternal()) {
            return false;
        }
        if (!exchange.isBound() && block.isOpen() && !block.isReadOnly() && !own.suitsBlock(null)) {
            // The Master executes it in any case.
            return false;
        }
        if (sql.statements().stream().noneMatch(this::mayBeUnderstood)) {
            return false;
        }
        return awaitingCatalog.hasPatience();
    }

    /** Whether the catalog would improve the classification in a way that matters for the placement. */
    private boolean mayBeUnderstood(Statement statement) {
        // On a bound Satellite, the engine refuses a plain write, and Multimed refuses any other statement that may
        // write.
        return statement instanceof Statement.Update update
                && (update.reason() == NotRead.UNPARSED
                        || (update.reason() == NotRead.MAY_WRITE && exchange.isBound() && !exchange.onMaster()));
    }
}
