package io.multimed.sql;

import java.util.Set;

/** PostgreSQL's own relations and functions that show server processes and their sessions, or signal processes by their numbers. */
final class ProcessNames {
    static final String ACTIVITY = "pg_stat_activity";
    static final String OWN = "pg_backend_pid";
    static final String BLOCKING = "pg_blocking_pids";
    static final String SSL = "pg_stat_ssl";
    static final String GSSAPI = "pg_stat_gssapi";
    static final String PREPARED = "pg_prepared_statements";

    /** Relations with a column {@code pid}. */
    private static final Set<String> WITH_NUMBERS = Set.of(
            ACTIVITY,
            "pg_locks",
            SSL,
            GSSAPI,
            "pg_stat_progress_analyze",
            "pg_stat_progress_cluster",
            "pg_stat_progress_copy",
            "pg_stat_progress_create_index",
            "pg_stat_progress_vacuum");

    /** Functions that signal a process. */
    static final Set<String> SIGNALS = Set.of("pg_cancel_backend", "pg_terminate_backend");

    private ProcessNames() {}

    static boolean isRelation(String name) {
        return WITH_NUMBERS.contains(name) || name.equals(PREPARED);
    }

    /** Returns the processes that a statement of these tokens may ask for. */
    static Processes in(Tokens tokens) {
        Processes processes = Processes.NONE;
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).isIdentifier()) {
                processes = processes.and(of(tokens.get(i).text()));
            }
        }
        return processes;
    }

    /** Returns the processes that a statement with this name in it may ask for. */
    static Processes of(String name) {
        if (!name.startsWith("pg_")) {
            return Processes.NONE;
        }
        if (name.equals(OWN)) {
            return Processes.OWN;
        }
        if (name.equals(PREPARED)) {
            return Processes.OWN_AND_PREPARED;
        }
        return WITH_NUMBERS.contains(name) || SIGNALS.contains(name) || name.equals(BLOCKING)
                ? Processes.ALL
                : Processes.NONE;
    }
}
