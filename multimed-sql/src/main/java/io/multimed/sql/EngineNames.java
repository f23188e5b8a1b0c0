package io.multimed.sql;

import java.util.Set;

/**
 * Names and words by which a statement depends on an engine's catalogs or on the places of rows. A partial Satellite's differ from
 * the Master's: tables that it does not carry are dropped there, and its rows are written by transactions of its own.
 */
final class EngineNames {
    private static final Set<String> SYSTEM_COLUMNS = Set.of("ctid", "xmin", "xmax", "cmin", "cmax");

    /** Types whose input and output look names up. */
    private static final Set<String> NAMING_TYPES = Set.of(
            "regclass",
            "regcollation",
            "regconfig",
            "regdatabase",
            "regdictionary",
            "regnamespace",
            "regoper",
            "regoperator",
            "regproc",
            "regprocedure",
            "regrole",
            "regtype");

    /**
     * Words of the language that stand for functions of section {@code [other]}, that choose rows by their places, or behind which
     * types stand where {@link RelationPlaces} does not look for them.
     */
    private static final Set<String> WORDS =
            Set.of("current_schema", "system_user", "tablesample", "xmltable", "json_table");

    /** Relations of information_schema, which search_path may contain. */
    private static final Set<String> INFORMATION_SCHEMA = Set.of("""
            _pg_foreign_data_wrappers _pg_foreign_servers _pg_foreign_table_columns _pg_foreign_tables _pg_user_mappings
            administrable_role_authorizations applicable_roles attributes character_sets check_constraint_routine_usage
            check_constraints collation_character_set_applicability collations column_column_usage column_domain_usage
            column_options column_privileges column_udt_usage columns constraint_column_usage constraint_table_usage
            data_type_privileges domain_constraints domain_udt_usage domains element_types enabled_roles
            foreign_data_wrapper_options foreign_data_wrappers foreign_server_options foreign_servers
            foreign_table_options foreign_tables information_schema_catalog_name key_column_usage parameters
            referential_constraints role_column_grants role_routine_grants role_table_grants role_udt_grants
            role_usage_grants routine_column_usage routine_privileges routine_routine_usage routine_sequence_usage
            routine_table_usage routines schemata sequences sql_features sql_implementation_info sql_parts sql_sizing
            table_constraints table_privileges tables transforms triggered_update_columns triggers udt_privileges
            usage_privileges user_defined_types user_mapping_options user_mappings view_column_usage view_routine_usage
            view_table_usage views
            """.strip().split("\\s+"));

    private EngineNames() {}

    /** Whether the identifier at an index makes the statement one for complete nodes, whatever its place. */
    static boolean isAt(Tokens tokens, int i) {
        Token token = tokens.get(i);
        String text = token.text();
        if (token.kind() == Lexer.WORD
                && (WORDS.contains(text)
                        || (text.equals("collation") && tokens.get(i + 1).is("for")))) {
            return true;
        }
        return SYSTEM_COLUMNS.contains(text)
                || NAMING_TYPES.contains(text.startsWith("_") ? text.substring(1) : text)
                || text.equals("information_schema")
                || (text.startsWith("pg_")
                        && !SystemRelations.isSchemaOrType(text)
                        && !(BuiltInFunctions.harmless(text) && FunctionsOnPartials.areSame(text)));
    }

    /** Whether a relation of this name without a schema may be one of information_schema. */
    static boolean isOfInformationSchema(String name) {
        return INFORMATION_SCHEMA.contains(name);
    }
}
