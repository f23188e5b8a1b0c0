package io.multimed.sql;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables that partial Satellites carry, according to the configuration. */
public record PartialTables(List<Node> nodes) {
    /** No partial Satellites. */
    public static final PartialTables NONE = new PartialTables(List.of());

    /**
     * A bit of no node in {@link Statement.Read#holders}: it lacks in those of a read that needs a table whose indexes are partly on
     * partial Satellites alone.
     */
    public static final long INDEXED_ANYWHERE = 1L << 62;

    private static final int LAST_BIT = 61;

    /**
     * A partial Satellite.
     *
     * @param bit its number, 0 to 61; it stands for the node in {@link Statement.Read#holders}
     * @param database in which its tables are
     * @param tables names qualified by a schema, written as in SQL: {@code shop.orders}, {@code "My Shop".t}. Their partitions and
     *     heirs count as well. A table that does not exist holds nothing.
     * @param indexed names, without their schemas, of tables that have indexes on partial Satellites alone
     * @param columns of tables of which it does not carry all: by the table's name as above, the names in the catalog
     */
    public record Node(
            int bit,
            String database,
            List<String> tables,
            Set<String> indexed,
            Map<String, ? extends Collection<String>> columns) {
        /** Makes a node of a database all of whose indexes are on the Master. */
        public Node(int bit, String database, List<String> tables) {
            this(bit, database, tables, Set.of(), Map.of());
        }

        public Node {
            indexed = Set.copyOf(indexed);
            columns = Map.copyOf(columns);
            if (bit < 0 || bit > LAST_BIT) {
                throw new IllegalArgumentException("bit must be 0 to " + LAST_BIT + ": " + bit);
            }
            tables = List.copyOf(tables);
            for (String table : tables) {
                if (!isQualifiedName(table)) {
                    throw new IllegalArgumentException("not a table's name with its schema: " + table);
                }
            }
        }

        /** Any other text would make the engine refuse the query for the relations, and so every read of the catalog. */
        private static boolean isQualifiedName(String table) {
            Tokens tokens = Tokens.of(table);
            return !tokens.erroneous()
                    && tokens.size() == 3
                    && isName(tokens.get(0))
                    && tokens.get(1).is('.')
                    && isName(tokens.get(2));
        }

        private static boolean isName(Token token) {
            return token.isIdentifier() && !token.text().isEmpty();
        }
    }

    public PartialTables {
        nodes = List.copyOf(nodes);
        if (nodes.stream().mapToInt(Node::bit).distinct().count() < nodes.size()) {
            throw new IllegalArgumentException("two partial Satellites have the same bit: " + nodes);
        }
    }

    /** Returns those in one database. */
    public PartialTables in(String database) {
        return new PartialTables(
                nodes.stream().filter(node -> node.database().equals(database)).toList());
    }

    /** Whether tables of this name have indexes on partial Satellites alone. */
    public boolean areIndexed(String table) {
        return nodes.stream().anyMatch(node -> node.indexed().contains(table));
    }

    /** Returns the bits of all nodes. */
    public long bits() {
        long bits = 0;
        for (Node node : nodes) {
            bits |= 1L << node.bit();
        }
        return bits;
    }
}
