package io.multimed.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A column of a table, which shows the median over the runs of a system.
 *
 * @param form of the number, as for {@link String#format}
 * @param value of one run, or of its part that a row is about
 */
record Column<T>(String head, String form, ToDoubleFunction<T> value) {
    String median(List<? extends T> same) {
        return ReportTable.format(
                form, Statistics.median(same.stream().mapToDouble(value).toArray()));
    }
}
