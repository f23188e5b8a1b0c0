package io.multimed.endpoint.pg.session.reads;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The times that clients have waited for statements, by shape, with the nodes that executed them and the reasons. It knows the last half
 * hour to the last hour: what is older is forgotten half an hour at a time. Used on one event loop.
 */
public final class AnsweredTimes {
    private static final int MOST = 500;
    private static final long GENERATION_NANOS = TimeUnit.MINUTES.toNanos(30);

    private Shapes<Times> present = new Shapes<>(MOST);
    private Shapes<Times> before = new Shapes<>(MOST);
    private long presentSince;
    private boolean begun;

    /**
     * A statement that was answered.
     *
     * @param statement the object that stands for its shape
     * @param node the one that executed it; null if none did
     * @param reason why that node; null if none did
     * @param nanos from its arrival to the end of its answer
     * @param waitNanos the part of them before an engine had it
     */
    public record Answered(
            Statement statement,
            @Nullable ComputationalNode node,
            @Nullable Reason reason,
            long nanos,
            long waitNanos,
            boolean failed) {}

    /** Executions at one place. */
    private static final class Place {
        final ComputationalNode node;
        final Reason reason;
        long count;

        Place(ComputationalNode node, Reason reason) {
            this.node = node;
            this.reason = reason;
        }
    }

    private static final class Times {
        final String text;
        final String shape;
        final List<Place> places = new ArrayList<>(2);
        long count;
        long failed;
        long nanos;
        long waitNanos;
        long longestNanos;

        Times(String text, String shape) {
            this.text = text;
            this.shape = shape;
        }

        void add(Answered answered) {
            count++;
            failed += answered.failed ? 1 : 0;
            nanos += answered.nanos;
            waitNanos += answered.waitNanos;
            longestNanos = Math.max(longestNanos, answered.nanos);
            if (answered.node != null && answered.reason != null) {
                place(answered.node, answered.reason).count++;
            }
        }

        private Place place(ComputationalNode node, Reason reason) {
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get(i);
                if (place.node == node && place.reason == reason) {
                    return place;
                }
            }
            Place added = new Place(node, reason);
            places.add(added);
            return added;
        }

        Seen seen() {
            return new Seen(
                    text,
                    shape,
                    count,
                    failed,
                    nanos,
                    waitNanos,
                    longestNanos,
                    places.stream()
                            .map(place -> new SeenPlace(place.node.id().name(), place.reason, place.count))
                            .toList());
        }
    }

    /** Executions on one node for one reason. */
    public record SeenPlace(String node, Reason reason, long count) {}

    /**
     * The times of one shape.
     *
     * @param text without literals
     * @param shape the fingerprint; empty if it is no read
     * @param nanos total from arrivals to the ends of the answers
     * @param waitNanos the part of them before an engine had the statement
     */
    public record Seen(
            String text,
            String shape,
            long count,
            long failed,
            long nanos,
            long waitNanos,
            long longestNanos,
            List<SeenPlace> places) {}

    /**
     * Adds a statement.
     *
     * @param text its text without literals; called if the shape is new
     */
    public void add(Answered answered, long nowNanos, Supplier<String> text) {
        if (!begun || nowNanos - presentSince > GENERATION_NANOS) {
            before = begun && nowNanos - presentSince < 2 * GENERATION_NANOS ? present : new Shapes<>(MOST);
            present = new Shapes<>(MOST);
            presentSince = nowNanos;
            begun = true;
        }
        Times times = present.get(answered.statement);
        if (times == null) {
            Times earlier = before.get(answered.statement);
            times = earlier != null
                    ? new Times(earlier.text, earlier.shape)
                    : new Times(
                            text.get(),
                            answered.statement instanceof Statement.Read read
                                    ? read.marks().fingerprint()
                                    : "");
            present.add(answered.statement, times);
        }
        times.add(answered);
    }

    /** Returns the times of all shapes; one may be there more than once. */
    public List<Seen> all() {
        List<Seen> all = new ArrayList<>();
        present.all().forEach(times -> all.add(times.seen()));
        before.all().forEach(times -> all.add(times.seen()));
        return all;
    }
}
