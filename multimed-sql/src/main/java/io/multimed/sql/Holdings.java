package io.multimed.sql;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The partial Satellites that hold the relations and types of one database, with everything behind these. Any thread. */
final class Holdings {
    private final DatabaseCatalog catalog;
    private final Names names;
    // Contains only names of the catalog, so it does not grow larger than the catalog.
    private final Map<String, Long> known = new ConcurrentHashMap<>();

    Holdings(DatabaseCatalog catalog, Names names) {
        this.catalog = catalog;
        this.names = names;
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
        while (!open.isEmpty()) {
            String name = open.iterator().next();
            open.remove(name);
            if (!visited.add(name)) {
                continue;
            }
            held &= catalog.holders(name) & names.own(name).holders();
            DatabaseCatalog.Named named = catalog.named(name);
            open.addAll(named.uses());
            for (String sql : named.definitions()) {
                Tokens definition = Tokens.of(sql).withoutSemicolon();
                held &= names.judge(definition).holders() & reach(definition, open);
            }
        }
        return held;
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
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (!token.isIdentifier()) {
                continue;
            }
            String name = token.text();
            boolean isPlace = places.get(i);
            if (catalog.isRelation(name) ? isPlace : catalog.contains(name)) {
                reached.add(name);
            }
            boolean mayBeOfInformationSchema =
                    isPlace && !tokens.get(i - 1).is('.') && EngineNames.isOfInformationSchema(name);
            if (mayBeOfInformationSchema || catalog.isNamingType(name)) {
                held = 0;
            }
        }
        return held;
    }
}
