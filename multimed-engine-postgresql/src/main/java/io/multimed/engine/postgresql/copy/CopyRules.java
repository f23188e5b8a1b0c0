package io.multimed.engine.postgresql.copy;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules for which files of a data directory belong into a copy (PostgreSQL manual, section "Making a Base Backup Using the
 * Low Level API", and the lists in basebackup.c).
 */
final class CopyRules {
    /**
     * Directories that are copied empty: the copy's own server makes their contents, or they are valid for the Master alone.
     */
    private static final Set<String> EMPTY_DIRECTORIES = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_stat_tmp",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_subtrans");

    /** Directories of the user's own server, such as its logging collector's; they hold nothing of the cluster. */
    private static final Set<String> NOT_OURS = Set.of("log", "pg_log", "lost+found");

    private static final Set<String> TOP_FILES = Set.of(
            "postmaster.pid",
            "postmaster.opts",
            "postgresql.auto.conf",
            "postgresql.auto.conf.tmp",
            "current_logfiles",
            "current_logfiles.tmp",
            "backup_label",
            "backup_label.old",
            "tablespace_map",
            "tablespace_map.old",
            "backup_manifest",
            "standby.signal",
            "recovery.signal");

    private static final Pattern TEMPORARY_RELATION = Pattern.compile("t\\d+_\\d+(_(fsm|vm|init))?(\\.\\d+)?");
    private static final Pattern RELATION = Pattern.compile("(\\d+)(_(fsm|vm|init))?(\\.\\d+)?");

    private CopyRules() {}

    static boolean copiesNothingOf(String topDirectory) {
        return NOT_OURS.contains(topDirectory);
    }

    static boolean copiesEmpty(String topDirectory) {
        return EMPTY_DIRECTORIES.contains(topDirectory);
    }

    static boolean copiesTopFile(String name) {
        return !TOP_FILES.contains(name) && copiesFile(name);
    }

    /** Whether files and directories of this name are copied, at any depth. */
    static boolean copiesFile(String name) {
        return !name.startsWith("pgsql_tmp")
                && !name.startsWith("pg_internal.init")
                && !TEMPORARY_RELATION.matcher(name).matches();
    }

    /**
     * Whether a relation's file is left out because the relation is unlogged: recovery makes it anew from its init fork.
     *
     * @param initForks the relations of the directory that have one
     */
    static boolean isUnlogged(String name, Set<String> initForks) {
        Matcher matcher = RELATION.matcher(name);
        return matcher.matches() && !"_init".equals(matcher.group(2)) && initForks.contains(matcher.group(1));
    }

    /** Returns the relation whose init fork this is, or null. */
    static @org.jspecify.annotations.Nullable String initForkOf(String name) {
        return name.endsWith("_init") ? name.substring(0, name.length() - "_init".length()) : null;
    }
}
