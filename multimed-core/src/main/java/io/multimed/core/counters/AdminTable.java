package io.multimed.core.counters;

import java.util.List;

/** A table that people are shown who look after an instance; values are numbers, or shown by their {@code toString}. */
public record AdminTable(List<String> columns, List<List<Object>> rows) {}
