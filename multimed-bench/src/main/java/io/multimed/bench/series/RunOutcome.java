package io.multimed.bench.series;

import io.multimed.bench.client.Told;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import java.util.List;
import java.util.Map;

/**
 * The outcome of one run.
 *
 * @param settings that were chosen for each engine, by node
 * @param interrupted whether it was interrupted; then nothing was checked
 * @param failure why it could not be carried out; empty otherwise
 */
public record RunOutcome(
        Measured measured,
        List<Figure> figures,
        Map<String, Map<String, String>> settings,
        List<Run.Check> checks,
        boolean interrupted,
        String failure) {
    static final RunOutcome NOTHING = new RunOutcome(
            new MeasuredOperations(List.of(), 0, 1).measured(Used.NOTHING, Inside.NOTHING),
            List.of(),
            Map.of(),
            List.of(),
            false,
            "");

    public RunOutcome {
        figures = List.copyOf(figures);
        settings = Map.copyOf(settings);
        checks = List.copyOf(checks);
    }

    RunOutcome interrupted(boolean so) {
        return new RunOutcome(measured, figures, settings, checks, interrupted || so, failure);
    }

    RunOutcome failed(String why) {
        return new RunOutcome(measured, figures, settings, checks, interrupted, why);
    }

    /** Returns the check whether all answers to clients can be right. */
    static Run.Check answers(Told told) {
        return new Run.Check(
                "no answer is wrong", told.wrongAnswers() == 0 ? "" : told.wrongAnswers() + " wrong answers");
    }
}
