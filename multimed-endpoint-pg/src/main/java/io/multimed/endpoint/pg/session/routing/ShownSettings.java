package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import java.util.Set;

/**
 * The settings that a Satellite shows as the Master does. Settings of memory, log, replication and many others differ from node to
 * node, and every version of PostgreSQL adds some. So a Satellite shows only settings that are known to belong to the session.
 */
final class ShownSettings {
    /** Settings that determine how clients send, see and wait. The same files, databases and roles set them on every node. */
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
            // A Satellite executes only READ ONLY transactions, also by its nature as a standby.
            "transaction_read_only",
            "transaction_timeout",
            "transform_null_equals",
            "xmlbinary",
            "xmloption");

    private final SessionVariables variables;
    private final TransactionBlock block;
    /** The settings that the configuration sets differently for some nodes. */
    private final Set<String> ofNodes;

    ShownSettings(SessionVariables variables, TransactionBlock block, Set<String> ofNodes) {
        this.variables = variables;
        this.block = block;
        this.ofNodes = ofNodes;
    }

    /**
     * Whether a Satellite shows the setting as the Master does.
     *
     * @param name in lower case
     */
    boolean isAlike(String name) {
        Boolean setInBlock = block.sets(name);
        if (setInBlock != null) {
            return setInBlock;
        }
        // A qualified name belongs to the client or to an extension.
        return variables.sets(name) || ((ALIKE.contains(name) || name.indexOf('.') > 0) && !ofNodes.contains(name));
    }
}
