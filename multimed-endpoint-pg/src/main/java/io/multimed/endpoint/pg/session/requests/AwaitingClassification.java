package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.Inquiry;
import io.multimed.sql.StatementClassifier;
import java.util.List;

/** The wait of the session's unit for the parser, which is asked about texts that are not classified yet. */
public final class AwaitingClassification {
    private final LoopContext loop;
    private final StatementClassifier classifier;
    private final SessionControl owner;
    private final Waiting waiting;
    private final Unit unit;
    private final Learning learning;

    public AwaitingClassification(
            LoopContext loop,
            StatementClassifier classifier,
            SessionControl owner,
            Waiting waiting,
            Unit unit,
            Learning learning) {
        this.loop = loop;
        this.classifier = classifier;
        this.owner = owner;
        this.waiting = waiting;
        this.unit = unit;
        this.learning = learning;
    }

    /**
     * Asks the parser.
     *
     * @return whether the unit is to be examined again at once; otherwise the session has begun to wait
     */
    boolean findOut(List<byte[]> texts, DatabaseCatalog catalog) {
        Inquiry inquiry = classifier.inquire(texts, catalog);
        if (!unit.asked()
                .mayAsk(
                        inquiry.shapes(),
                        Inquiry.MOST_SHAPES,
                        loop.nanoTime(),
                        classifier.patience().toNanos())) {
            learning.of(inquiry);
            return true;
        }
        waiting.begin(Wait.CLASSIFICATION, inquiry::abandon);
        inquiry.start(loop.loop(), classified -> {
            unit.asked().answered(texts, classified, catalog);
            owner.resume(Wait.CLASSIFICATION);
        });
        return false;
    }
}
