package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Actions on a system beside its clients' work, and their results. For one run alone; called by the thread that runs the
 * series, in the order of the methods. Figures of methods that are not called in an interrupted run are left out.
 */
public interface Episode extends AutoCloseable {
    /** An episode without actions. */
    Episode NONE = new Episode() {};

    /** Called when the system serves and no client is connected yet. */
    default void quiet() throws BenchException, SQLException, InterruptedException {}

    /** Called when clients are warm, and their window is about to open. */
    default void opens() throws BenchException, SQLException, InterruptedException {}

    /** Called when their window has closed, or will never open. */
    default void closes() throws BenchException, SQLException, InterruptedException {}

    /**
     * Called while clients work, which go on until this returns.
     *
     * @param completed number of operations completed so far
     */
    default void beside(LongSupplier completed) throws BenchException, SQLException, InterruptedException {}

    /** Ends all work that still goes on. An interrupt is kept for later. */
    @Override
    default void close() throws BenchException {}

    /** Returns the figures. Those with the same unit belong on one chart; the unit of the first one is drawn. */
    default List<Figure> figures(Measured measured) {
        return List.of();
    }

    /** Returns whether the system did what it was meant to show; a run that took another path is void. */
    default List<Run.Check> checks(Measured measured) {
        return List.of();
    }

    /** Whether it ends engines on purpose. */
    default boolean endsEngines() {
        return false;
    }
}
