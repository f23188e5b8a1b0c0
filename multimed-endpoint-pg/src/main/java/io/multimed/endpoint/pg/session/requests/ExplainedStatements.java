package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.ExplainedTexts;
import io.multimed.endpoint.pg.session.prepared.OwnMessages;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.PlacementExplanation;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.NotRead;
import io.multimed.sql.ReadEvidence;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Explains where statements would be executed: EXPLAIN (MULTIMED). The answer describes the session's state before the unit, so it is
 * made before the unit is placed. Nothing is executed. An engine parses the statement, so that errors in it are the engine's, unless
 * the session is in a block that is not on the Master: to ask an engine would move the block, and so change what is explained.
 */
public final class ExplainedStatements {
    private static final ErrorFields OTHER_OPTIONS = ErrorFields.error(
                    SqlState.FEATURE_NOT_SUPPORTED, "EXPLAIN (MULTIMED) has no other options")
            .withDetail("It tells where a statement would be executed, not how.")
            .withHint("Use EXPLAIN without MULTIMED for the plan.");

    /** A parameter of an extended query message. */
    private static final Pattern PARAMETER = Pattern.compile("\\$\\d");

    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final AwaitingEngine engine;
    private final Unit unit;
    private final StatementClassifier classifier;
    private final Supplier<DatabaseCatalog> catalogs;
    private final Classifying classifying;
    private final BackendPinning pinning;
    private final PlacementExplanation placement;
    private final ExplainedTexts explained;
    private final boolean tablespaces;

    /**
     * Creates the explanations of a session.
     *
     * @param catalogs returns the present catalog of the session's database
     * @param explained receives the answers
     * @param tablespaces whether Satellites can be kept out of a new tablespace's directory
     */
    public ExplainedStatements(
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            AwaitingEngine engine,
            Unit unit,
            StatementClassifier classifier,
            Supplier<DatabaseCatalog> catalogs,
            Classifying classifying,
            BackendPinning pinning,
            PlacementExplanation placement,
            ExplainedTexts explained,
            boolean tablespaces) {
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.engine = engine;
        this.unit = unit;
        this.classifier = classifier;
        this.catalogs = catalogs;
        this.classifying = classifying;
        this.pinning = pinning;
        this.placement = placement;
        this.explained = explained;
        this.tablespaces = tablespaces;
    }

    /** Whether these statements ask for an explanation that can be given. In a failed block, the engine refuses them. */
    boolean takes(List<Statement> statements) {
        return OwnMessages.areExplanation(statements) && deferred.status() != 'E';
    }

    /**
     * Makes the answers to the texts of the unit at the head of the input.
     *
     * @param texts with the words EXPLAIN (MULTIMED)
     * @param bytes length of the unit
     * @return false when it has to wait
     */
    boolean prepare(List<byte[]> texts, int bytes) {
        explained.begin(unit.number());
        for (byte[] sql : texts) {
            if (explained.contains(sql)) {
                continue;
            }
            if (!exchange.isDrained()) {
                return engine.awaitReplies();
            }
            byte[] inner = Arrays.copyOfRange(sql, StatementClassifier.beginOfExplained(sql, sql.length), sql.length);
            ClassifiedSql known = classifying.text(inner);
            if (known == null) {
                return false;
            }
            explained.add(sql, explain(known, inner, bytes - (sql.length - inner.length)));
        }
        return true;
    }

    /** Returns the answer to a text; null if it was not asked for. */
    @Nullable
    List<String> take(byte[] sql) {
        return explained.take(sql);
    }

    /** Whether an engine is to parse the statement. */
    boolean needEngine() {
        return !block.isOpen() || exchange.onMaster();
    }

    /** Returns the error with which the statement is refused among those of its unit; null if it is not. */
    @Nullable
    ErrorFields refuse(Statement.ExplainPlacement explanation) {
        return !explanation.alone() ? OTHER_OPTIONS : explained.areOf(unit.number()) ? null : OwnMessages.TOGETHER;
    }

    private List<String> explain(ClassifiedSql sql, byte[] text, int bytes) {
        List<String> lines = new ArrayList<>(explain(sql.statements(), text, bytes));
        if (PARAMETER.matcher(new String(text, StandardCharsets.ISO_8859_1)).find()) {
            lines.add("Parameters have no types here; neither types nor values decide where a statement is executed.");
        }
        if (!needEngine() && sql.statements().stream().anyMatch(ExplainedStatements::isNotUnderstood)) {
            lines.add(
                    "No engine has parsed it, since its transaction block is not on the master: it may have an error.");
        }
        return exchange.clientSpeaksUtf8()
                ? lines
                : lines.stream()
                        .map(line -> line.replaceAll("[^\\x00-\\x7f]", "?"))
                        .toList();
    }

    private static boolean isNotUnderstood(Statement statement) {
        return statement instanceof Statement.Update update && update.reason() == NotRead.UNPARSED;
    }

    private List<String> explain(List<Statement> statements, byte[] text, int bytes) {
        Statement statement = statements.getFirst();
        ErrorFields refusal = Refusals.of(statement, tablespaces);
        if (isAnsweredHere(statements)) {
            return List.of("Runs on  no node: Multimed answers it");
        }
        if (refusal != null) {
            return List.of("Runs on  no node: it is refused", "Because  " + refusal.message());
        }
        ReadEvidence evidence = ReadEvidence.NONE;
        if (statement instanceof Statement.Read) {
            Optional<ReadEvidence> found = classifier.evidence(text, catalogs.get());
            evidence = found.orElse(ReadEvidence.NONE);
        }
        return placement.of(statement, evidence, bytes);
    }

    /** Whether the statement would be answered without an engine, or over a connection that sessions share. */
    private boolean isAnsweredHere(List<Statement> statements) {
        if (MultimedSettings.asksRoute(statements)) {
            return true;
        }
        return switch (statements.getFirst()) {
            case Statement.ExplainPlacement ignored -> true;
            case Statement.Begin ignored -> !exchange.isBound() && !block.isOpen();
            case Statement.Commit commit -> !exchange.isBound() && block.isOpen() && !commit.chain();
            case Statement.Rollback rollback -> !exchange.isBound() && block.isOpen() && !rollback.chain();
            case Statement.Listen ignored -> !block.isOpen() && !pinning.isPinned();
            case Statement.Unlisten ignored -> !block.isOpen() && !pinning.isPinned();
            default -> false;
        };
    }
}
