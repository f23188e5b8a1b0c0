package io.multimed.sql;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The partial Satellites that hold the relations and types of one database, with everything behind these. Any thread. */
final class Holdings {
    private final DatabaseCatalog catalog;
    private final Names names;
    private final HoldingEvidence evidence;
    // Contains only names of the catalog, so it does not grow larger than the catalog.
    private final Map<String, Long> known = new ConcurrentHashMap<>();

    Holdings(DatabaseCatalog catalog, Names names, HoldingEvidence evidence) {
        this.catalog = catalog;
        this.names = names;
        this.evidence = evidence;
    }

    /** Returns the bits of the nodes that hold whatever the tokens may name as a relation or a type. */
    long of(Tokens tokens) {
        Set<String> reached = new HashSet<>();
        long held = catalog.holders() & reach(tokens, reached);
        for (String name : reached) {
            Long before = known.get(name);
            if (before == null) {
                before = everythingBehind(name);
                known.put(name, before);
            }
            held &= before;
        }
        return held;
    }

    /** Visits all that a name stands for. Names that refer back to themselves are visited once. */
    private long everythingBehind(String first) {
        long held = catalog.holders();
        Set<String> visited = new HashSet<>();
        Set<String> open = new HashSet<>(Set.of(first));
        Map<String, String> ways = new HashMap<>();
        while (!open.isEmpty()) {
            String name = open.iterator().next();
            open.remove(name);
            if (!visited.add(name)) {
                continue;
            }
            String way = ways.getOrDefault(name, "");
            if (catalog.isRelation(name)) {
                evidence.reaches(name);
            }
            held &= lacking(catalog.holders(name), "lacks " + name, way) & heldBy(names.own(name), way);
            DatabaseCatalog.Named named = catalog.named(name);
            Set<String> next = new HashSet<>(named.uses());
            String through = way.isEmpty() ? ", behind " + name : way;
            for (String sql : named.definitions()) {
                Tokens definition = Tokens.of(sql).withoutSemicolon();
                held &= heldBy(names.judge(definition), through)
                        & reach(definition, next)
                        & withColumnsOfExpression(name, definition, way);
            }
            next.forEach(each -> ways.putIfAbsent(each, through));
            open.addAll(next);
        }
        return held;
    }

    private long heldBy(Verdict verdict, String way) {
        return lacking(verdict.holders(), verdict.lacking(), way);
    }

    /** Returns these holders, and tells the evidence why the other nodes are none. */
    private long lacking(long holders, String because, String way) {
        evidence.lacks(~holders, () -> because + way);
        return holders;
    }

    /**
     * Adds the relations and types that the tokens may name, as far as the catalog knows them. A type may also be named where a
     * function or a column could be: {@code name(value)}, {@code (value).name}. The type of a relation's rows may not.
     *
     * @return all bits, or none if no partial Satellite has one of them
     */
    private long reach(Tokens tokens, Set<String> reached) {
        long held = Verdict.ALL_HOLDERS;
        BitSet places = RelationPlaces.in(tokens);
        Set<String> limited = new HashSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (!token.isIdentifier()) {
                continue;
            }
            String name = token.text();
            boolean isPlace = places.get(i);
            if (catalog.isRelation(name) ? isPlace : catalog.contains(name)) {
                reached.add(name);
                if (!catalog.limitedColumns(name).isEmpty()) {
                    limited.add(name);
                }
            }
            boolean mayBeOfInformationSchema =
                    isPlace && !tokens.get(i - 1).is('.') && EngineNames.isOfInformationSchema(name);
            if (mayBeOfInformationSchema) {
                held = lacking(0, "may read information_schema." + name, "");
            }
            if (catalog.isNamingType(name)) {
                held = lacking(0, "uses " + name + ", whose values name objects of the catalogs", "");
            }
        }
        for (String name : limited) {
            held &= withColumns(name, tokens, carried -> ColumnReads.beyondNames(tokens, places, name, carried), "");
        }
        return held;
    }

    /** Returns the nodes that have all columns of a relation that one of its policies, or a view of its name, reads. */
    private long withColumnsOfExpression(String name, Tokens definition, String way) {
        return catalog.limitedColumns(name).isEmpty()
                ? Verdict.ALL_HOLDERS
                : withColumns(name, definition, carried -> ColumnReads.beyondNamesInExpression(definition, name), way);
    }

    /**
     * Returns the nodes that have all columns of a relation that the tokens can read.
     *
     * @param beyondNames tells, for the columns that are carried, why they can read others that they do not name; null if they cannot
     */
    private long withColumns(
            String name, Tokens tokens, Function<Set<String>, @Nullable String> beyondNames, String way) {
        long held = Verdict.ALL_HOLDERS;
        for (Map.Entry<Integer, DatabaseCatalog.Columns> limited :
                catalog.limitedColumns(name).entrySet()) {
            long others = ~(1L << limited.getKey());
            String column = ColumnReads.named(tokens, limited.getValue().lacking());
            if (column != null) {
                held &= lacking(others, "lacks column " + column + " of " + name, way);
                continue;
            }
            String more = beyondNames.apply(limited.getValue().carried());
            if (more != null) {
                held &= lacking(others, "lacks columns of " + name + ", of which the text may read " + more, way);
            }
        }
        return held;
    }
}
