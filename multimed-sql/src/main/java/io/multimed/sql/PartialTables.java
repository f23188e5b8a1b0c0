package io.multimed.sql;

import java.util.List;

/** The tables that partial Satellites carry, according to the configuration. */
public record PartialTables(List<Node> nodes) {
    /** No partial Satellites. */
    public static final PartialTables NONE = new PartialTables(List.of());

    private static final int LAST_BIT = 62;

    /**
     * A partial Satellite.
     *
     * @param bit its number, 0 to 62; it stands for the node in {@link Statement.Read#holders}
     * @param database in which its tables are
     * @param tables names qualified by a schema, written as in SQL: {@code shop.orders}, {@code "My Shop".t}. Their partitions and
     *     heirs count as well. A table that does not exist holds nothing.
     */
    public record Node(int bit, String database, List<String> tables) {
        public Node {
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

    /** Returns the bits of all nodes. */
    public long bits() {
        long bits = 0;
        for (Node node : nodes) {
            bits |= 1L << node.bit();
        }
        return bits;
    }
}
