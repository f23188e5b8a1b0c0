package io.multimed.sql;

import java.util.Set;

/**
 * Names of PostgreSQL's system objects other than functions. Tells which names that begin with {@code pg_} a Satellite answers as
 * the Master does, and which depend on the moment.
 */
final class SystemRelations {
    /**
     * Tables of pg_catalog, which replay keeps identical, and views that only rearrange them (PostgreSQL manual, 51 and 52).
     * Relations that read statistics, locks, settings, sessions, files or the values of sequences are excluded.
     */
    static final Set<String> REPLICATED = Set.of("""
            pg_aggregate pg_am pg_amop pg_amproc pg_attrdef pg_attribute pg_auth_members pg_authid
            pg_available_extension_versions pg_available_extensions pg_cast pg_class pg_collation pg_config pg_constraint
            pg_conversion pg_database pg_db_role_setting pg_default_acl pg_depend pg_description pg_enum pg_event_trigger
            pg_extension pg_foreign_data_wrapper pg_foreign_server pg_foreign_table pg_group pg_index pg_indexes pg_inherits
            pg_init_privs pg_language pg_largeobject pg_largeobject_metadata pg_matviews pg_namespace pg_opclass pg_operator
            pg_opfamily pg_parameter_acl pg_partitioned_table pg_policies pg_policy pg_proc pg_publication
            pg_publication_namespace pg_publication_rel pg_publication_tables pg_range pg_replication_origin pg_rewrite
            pg_roles pg_rules pg_seclabel pg_seclabels pg_sequence pg_shadow pg_shdepend pg_shdescription pg_shseclabel
            pg_statistic pg_statistic_ext pg_statistic_ext_data pg_stats pg_stats_ext pg_stats_ext_exprs pg_subscription
            pg_subscription_rel pg_tables pg_tablespace pg_timezone_abbrevs pg_timezone_names pg_transform pg_trigger
            pg_ts_config pg_ts_config_map pg_ts_dict pg_ts_parser pg_ts_template pg_type pg_user pg_user_mapping
            pg_user_mappings pg_views pg_wait_events
            """.strip().split("\\s+"));

    /** The schema pg_catalog, and types. */
    private static final Set<String> OTHER_NAMES = Set.of(
            "pg_catalog",
            "pg_lsn",
            "pg_snapshot",
            "pg_node_tree",
            "pg_ndistinct",
            "pg_dependencies",
            "pg_mcv_list",
            "pg_brin_bloom_summary",
            "pg_brin_minmax_multi_summary");

    /**
     * Views that call functions of the section {@code [moment]}, and the type whose values take today's UTC offset if none is
     * given.
     */
    private static final Set<String> MOMENTARY =
            Set.of("pg_timezone_abbrevs", "pg_timezone_names", "pg_wait_events", "timetz", "_timetz");

    private SystemRelations() {}

    /** Whether the name may be a relation of PostgreSQL's own that only the Master can answer for. */
    static boolean masterOnly(String name) {
        // The result of a function in FROM has the function's name.
        return name.startsWith("pg_")
                && !REPLICATED.contains(name)
                && !OTHER_NAMES.contains(name)
                && !BuiltInFunctions.harmless(name);
    }

    /** Whether the name is that of the schema pg_catalog, or of a type in it. */
    static boolean isSchemaOrType(String name) {
        return OTHER_NAMES.contains(name);
    }

    /** Whether the result of reading a relation of this name, or using a type of this name, depends on the moment. */
    static boolean momentary(String name) {
        return MOMENTARY.contains(name);
    }
}
