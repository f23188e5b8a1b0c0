package io.multimed.endpoint.pg.services;

import io.multimed.core.node.ComputationalNode;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The engines' own view of their sessions. */
@FunctionalInterface
public interface EngineSessions {
    /**
     * Query for the Master, executed as a superuser, to which the name of a role is appended. Its rows are all roles: the name,
     * whether the given role sees this role's sessions in full, and whether it may signal them. The given role counts with all
     * roles that it is a member of.
     */
    String RIGHTS = """
            SELECT r.rolname, pg_has_role(u.oid, r.oid, 'USAGE') OR pg_has_role(u.oid, 'pg_read_all_stats', 'USAGE'),
                   EXISTS (SELECT FROM pg_roles s WHERE s.rolsuper AND pg_has_role(u.oid, s.oid, 'MEMBER'))
                   OR NOT r.rolsuper AND (pg_has_role(u.oid, r.oid, 'MEMBER')
                                          OR pg_has_role(u.oid, 'pg_signal_backend', 'MEMBER'))
              FROM pg_roles r, pg_roles u WHERE u.rolname =\s""";

    /**
     * Query for a Satellite, executed as a superuser. Its rows are the sessions: the process number, and the other columns of
     * pg_stat_activity as a JSON object.
     */
    String SESSIONS = """
            SELECT s.pid, (to_jsonb(s) - '{pid,datid,datname,usesysid,usename,client_addr,client_port,backend_start}'::text[])::text
              FROM pg_stat_activity s WHERE s.backend_type = 'client backend'""";

    /** Implementation for endpoints without access to the engines' views. */
    EngineSessions UNKNOWN = (role, nodes, found) -> found.accept(Seen.NOTHING);

    /**
     * Queries the Master and these nodes; does not block.
     *
     * @param found receives the answers, on any thread; nodes that cannot be queried are left out
     */
    void look(String role, Collection<ComputationalNode> nodes, Consumer<Seen> found);

    /**
     * The engines' answers.
     *
     * @param visible the roles whose sessions are seen in full
     * @param signalable the roles whose sessions may be ended
     * @param rows by node and number of the process, as JSON objects
     */
    record Seen(Set<String> visible, Set<String> signalable, Map<ComputationalNode, Map<Integer, String>> rows) {
        public static final Seen NOTHING = new Seen(Set.of(), Set.of(), Map.of());
    }
}
