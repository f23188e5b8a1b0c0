package io.multimed.endpoint.pg.services;

import java.util.List;

/** An answer of the admin database; values are shown by their {@code toString}. */
public record AdminTable(List<String> columns, List<List<Object>> rows) {}
