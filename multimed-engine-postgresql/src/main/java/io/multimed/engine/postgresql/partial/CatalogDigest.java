package io.multimed.engine.postgresql.partial;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The contents of the system catalogs, as of one snapshot, on which the answers of a partial Satellite can depend. Immutable.
 *
 * <p>Two digests of the same tables are equal if and only if answers by these catalogs are the same, as far as a comparison of rows can
 * tell. Left out is everything that changes no answer of a read: statistics, files and their places, indexes except those by which rows
 * are told apart, foreign keys, triggers but those that capture changes, sequences, defaults of columns, comments, publications. Other tables, with what belongs to
 * them, are left out, too.
 */
public final class CatalogDigest {
    /** Differences that a reason names. */
    private static final int NAMED = 5;

    private final int database;
    private final List<Long> tables;
    private final Map<CatalogPart, Map<String, String>> parts;

    private CatalogDigest(int database, List<Long> tables, Map<CatalogPart, Map<String, String>> parts) {
        this.database = database;
        this.tables = tables;
        this.parts = parts;
    }

    /**
     * Reads the catalogs in one snapshot.
     *
     * @param node connection to the database, in auto-commit mode
     * @param tables OIDs of those that the Satellite carries, without their partitions and heirs
     */
    public static CatalogDigest read(Connection node, Collection<Long> tables) throws SQLException {
        List<Long> all = List.copyOf(tables);
        try (CatalogSnapshot snapshot = CatalogSnapshot.take(node)) {
            Map<CatalogPart, Map<String, String>> parts = new EnumMap<>(CatalogPart.class);
            for (CatalogPart part : CatalogPart.values()) {
                parts.put(part, snapshot.read(part, all));
            }
            return new CatalogDigest(snapshot.database(), all, parts);
        }
    }

    /** Returns the OID of the database. */
    int database() {
        return database;
    }

    /** Returns the OIDs of the tables that the Satellite carries, without their partitions and heirs. */
    List<Long> tables() {
        return tables;
    }

    /** Returns the names of the catalogs, with the objects as far as they are known, that differ in a later snapshot. */
    List<String> differences(CatalogSnapshot later, Set<CatalogPart> among) throws SQLException {
        List<String> different = new ArrayList<>();
        for (CatalogPart part : among) {
            different.addAll(differences(contents(part), later.read(part, tables)));
        }
        return different;
    }

    /** Returns the names of the catalogs, with the objects as far as they are known, in which the two differ. */
    public List<String> differences(CatalogDigest other) {
        List<String> different = new ArrayList<>();
        for (CatalogPart part : EnumSet.allOf(CatalogPart.class)) {
            different.addAll(differences(contents(part), other.contents(part)));
        }
        return different;
    }

    private Map<String, String> contents(CatalogPart part) {
        return parts.getOrDefault(part, Map.of());
    }

    private static List<String> differences(Map<String, String> before, Map<String, String> after) {
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .filter(name -> !before.getOrDefault(name, "").equals(after.getOrDefault(name, "")))
                .toList();
    }

    /** Returns differences as a part of a sentence. */
    static String text(List<String> differences) {
        String some = String.join(", ", differences.subList(0, Math.min(NAMED, differences.size())));
        return differences.size() > NAMED ? some + " and " + (differences.size() - NAMED) + " more" : some;
    }
}
