package io.multimed.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the routing rules whose tables a statement touches in one database: by name, or through views, row security policies,
 * partitions and child tables. Any thread.
 */
final class RuleTables {
    /** A table of a rule, as a name without quotes. */
    private record Wanted(String schema, long rule) {}

    private final DatabaseCatalog catalog;
    private final Map<String, List<Wanted>> wanted = new HashMap<>();
    /** The rules that have no condition about tables. */
    private final long ofAllTables;

    RuleTables(StatementRules rules, DatabaseCatalog catalog) {
        this.catalog = catalog;
        long all = 0;
        for (int i = 0; i < rules.rules().size(); i++) {
            List<String> tables = rules.rules().get(i).tables();
            if (tables.isEmpty()) {
                all |= 1L << i;
            }
            for (String table : tables) {
                Tokens name = Tokens.of(table);
                wanted.computeIfAbsent(name.get(2).text(), any -> new ArrayList<>())
                        .add(new Wanted(name.get(0).text(), 1L << i));
            }
        }
        ofAllTables = all;
    }

    /** Returns the bits of the rules whose condition about tables holds. */
    long touchedBy(Tokens tokens) {
        if (wanted.isEmpty()) {
            return ofAllTables;
        }
        Set<String> visited = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        long touched = ofAllTables | named(tokens, open);
        while (!open.isEmpty()) {
            String name = open.pop();
            if (!visited.add(name)) {
                continue;
            }
            DatabaseCatalog.Named named = catalog.named(name);
            for (String use : named.uses()) {
                touched |= wanted(use, "");
                open.add(use);
            }
            for (String sql : named.definitions()) {
                touched |= named(Tokens.of(sql).withoutSemicolon(), open);
            }
        }
        return touched;
    }

    /**
     * Returns the rules whose tables the tokens name, and adds the names behind which there may be more. A name without a schema stands
     * for all tables of the name.
     */
    private long named(Tokens tokens, Deque<String> open) {
        long found = 0;
        BitSet places = RelationPlaces.in(tokens);
        for (int i = places.nextSetBit(0); i >= 0; i = places.nextSetBit(i + 1)) {
            String name = tokens.get(i).text();
            boolean qualified = tokens.get(i - 1).is('.') && tokens.get(i - 2).isIdentifier();
            found |= wanted(name, qualified ? tokens.get(i - 2).text() : "");
            if (catalog.contains(name)) {
                open.add(name);
            }
        }
        return found;
    }

    private long wanted(String name, String schema) {
        long found = 0;
        for (Wanted each : wanted.getOrDefault(name, List.of())) {
            if (schema.isEmpty() || schema.equals(each.schema())) {
                found |= each.rule();
            }
        }
        return found;
    }
}
