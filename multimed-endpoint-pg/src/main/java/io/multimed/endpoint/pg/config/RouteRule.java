package io.multimed.endpoint.pg.config;

import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * A rule that sends reads to a node.
 *
 * @param name by which people know it
 * @param match the reads that it concerns; they fulfil all conditions
 * @param to the name of a node, or {@link #SATELLITES}
 * @param otherwise the fate of a read that the node cannot answer now
 */
public record RouteRule(String name, Match match, String to, Otherwise otherwise) {
    /** All Satellites that hold all data. */
    public static final String SATELLITES = "satellites";

    /** The fate of a read that the node of its rule cannot answer now. */
    public enum Otherwise {
        /** The Master answers it. */
        MASTER,
        /** It waits for the node. */
        WAIT,
        /** It fails. */
        REFUSE
    }

    /**
     * The conditions of a rule.
     *
     * @param tables with their schemas, as in SQL; the read touches at least one of them. None if they do not matter
     * @param shape fingerprint of the statement's shape
     * @param role with which the client has logged in
     */
    public record Match(
            List<String> tables,
            Optional<String> shape,
            Optional<String> database,
            Optional<String> role,
            Optional<String> applicationName) {
        public Match {
            tables = List.copyOf(tables);
        }

        /** Whether the session fulfils the conditions about it. */
        public boolean isOf(String itsDatabase, String itsRole, String itsApplicationName) {
            return database.map(itsDatabase::equals).orElse(true)
                    && role.map(itsRole::equals).orElse(true)
                    && applicationName.map(itsApplicationName::equals).orElse(true);
        }

        @Override
        public String toString() {
            StringJoiner text = new StringJoiner(", ");
            if (!tables.isEmpty()) {
                text.add("tables " + String.join(" ", tables));
            }
            shape.ifPresent(value -> text.add("shape " + value));
            database.ifPresent(value -> text.add("database " + value));
            role.ifPresent(value -> text.add("role " + value));
            applicationName.ifPresent(value -> text.add("application_name " + value));
            return text.toString();
        }
    }
}
