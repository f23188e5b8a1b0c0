package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import java.util.Set;

/**
 * Which settings a Satellite shows as the Master does. Memory, log, replication and many others each node has of its own, and
 * every version of PostgreSQL adds some, so only those are shown there that are known to be the session's.
 */
final class ShownSettings {
    /** What decides what clients send, see and wait for; the same files, databases and roles set it on every node. */
    private static final Set<String> ALIKE = Set.of(
            "application_name",
            "backslash_quote",
            "bytea_output",
            "check_function_bodies",
            "client_encoding",
            "client_min_messages",
            "datestyle",
            "default_text_search_config",
            "default_transaction_deferrable",
            "default_transaction_isolation",
            "default_transaction_read_only",
            "escape_string_warning",
            "extra_float_digits",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout",
            "integer_datetimes",
            "intervalstyle",
            "is_superuser",
            "lc_messages",
            "lc_monetary",
            "lc_numeric",
            "lc_time",
            "lock_timeout",
            "max_identifier_length",
            "quote_all_identifiers",
            "role",
            "row_security",
            "search_path",
            "server_encoding",
            "server_version",
            "server_version_num",
            "session_authorization",
            "standard_conforming_strings",
            "statement_timeout",
            "timezone",
            "timezone_abbreviations",
            "transaction_deferrable",
            "transaction_isolation",
            // A Satellite executes only what is READ ONLY, by its own nature too.
            "transaction_read_only",
            "transaction_timeout",
            "transform_null_equals",
            "xmlbinary",
            "xmloption");

    private final SessionVariables variables;
    private final TransactionBlock block;
    /** What the configuration sets for some nodes otherwise than for others. */
    private final Set<String> ofNodes;

    ShownSettings(SessionVariables variables, TransactionBlock block, Set<String> ofNodes) {
        this.variables = variables;
        this.block = block;
        this.ofNodes = ofNodes;
    }

    /** @param name in lower case */
    boolean isAlike(String name) {
        Boolean setInBlock = block.sets(name);
        if (setInBlock != null) {
            return setInBlock;
        }
        // A qualified name is the client's or an extension's.
        return variables.sets(name) || (ALIKE.contains(name) || name.indexOf('.') > 0) && !ofNodes.contains(name);
    }
}
