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
     * Asked of the Master by a superuser, with the name of a role as its parameter: of each role that there is, its name, whether that
     * role sees its sessions in full, and whether it may signal them. It may be any role that it is a member of.
     */
    String RIGHTS = """
            SELECT r.rolname, pg_has_role(u.oid, r.oid, 'USAGE') OR pg_has_role(u.oid, 'pg_read_all_stats', 'USAGE'),
                   EXISTS (SELECT FROM pg_roles s WHERE s.rolsuper AND pg_has_role(u.oid, s.oid, 'MEMBER'))
                   OR NOT r.rolsuper AND (pg_has_role(u.oid, r.oid, 'MEMBER')
                                          OR pg_has_role(u.oid, 'pg_signal_backend', 'MEMBER'))
              FROM pg_roles r, pg_roles u WHERE u.rolname =\s""";

    /** Asked of a Satellite by a superuser: of each session, the number of its process, and what is told of it, as a JSON object. */
    String SESSIONS = """
            SELECT s.pid, (to_jsonb(s) - '{pid,datid,datname,usesysid,usename,client_addr,client_port,backend_start}'::text[])::text
              FROM pg_stat_activity s WHERE s.backend_type = 'client backend'""";

    /** Where nobody can be asked. */
    EngineSessions UNKNOWN = (role, nodes, found) -> found.accept(Seen.NOTHING);

    /**
     * Asks the Master and these nodes; does not block.
     *
     * @param found given what they tell; of those that cannot be asked nothing. Any thread
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
