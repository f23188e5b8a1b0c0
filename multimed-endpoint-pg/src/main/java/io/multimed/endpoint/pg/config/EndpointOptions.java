package io.multimed.endpoint.pg.config;

import io.multimed.endpoint.pg.backend.Transport;
import io.multimed.endpoint.pg.hba.HbaRules;
import io.multimed.endpoint.pg.services.StatementTraces;
import io.multimed.model.Freshness;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options of the endpoint.
 *
 * @param listening listening address and event loops
 * @param login authentication and encryption of clients
 * @param freshness freshness with which a session starts
 * @param nodes properties of the nodes behind the endpoint
 * @param routes rules that send reads to nodes
 * @param watching what is to be known about clients' statements
 */
public record EndpointOptions(
        Listening listening,
        Login login,
        Freshness freshness,
        EndpointLimits limits,
        EndpointTimeouts timeouts,
        NodeTraits nodes,
        RouteRules routes,
        Watching watching) {

    /**
     * Listening address and event loops.
     *
     * @param address with its port; port 0 selects a free one
     * @param unix a Unix-domain socket besides; null for none
     * @param transport the system interface of the loops
     * @param loops number of event loops, at least 1
     * @param busyPoll time for which a loop that finds nothing to do keeps polling before it sleeps; zero for never
     */
    public record Listening(
            InetSocketAddress address,
            @Nullable SocketDirectory unix,
            Transport transport,
            int loops,
            Duration busyPoll) {
        Listening withLoops(int other) {
            return new Listening(address, unix, transport, other, busyPoll);
        }
    }

    /**
     * Authentication and encryption of clients.
     *
     * @param rules that decide who may log in, and how
     * @param tls context for TLS; null refuses TLS
     * @param adminUsers roles, besides superusers, that may do everything in the admin database
     * @param statsUsers roles that see everything there
     */
    public record Login(HbaRules rules, @Nullable SslContext tls, Set<String> adminUsers, Set<String> statsUsers) {
        Login with(HbaRules other) {
            return new Login(other, tls, adminUsers, statsUsers);
        }

        Login with(SslContext other) {
            return new Login(rules, other, adminUsers, statsUsers);
        }
    }

    /** Clients that may connect without TLS. A Unix-domain socket needs none. */
    public enum Plaintext {
        ANYBODY("host all,replication all all %1$s"),
        /** Only clients on this machine, by a loopback address. */
        LOOPBACK("hostssl all,replication all all %1$s\nhost all,replication all 127.0.0.0/8 %1$s\n"
                + "host all,replication all ::1/128 %1$s"),
        NOBODY("hostssl all,replication all all %1$s");

        private final String rules;

        Plaintext(String rules) {
            this.rules = rules;
        }

        /** Returns the rules that admit these clients, all with the same method. */
        public HbaRules rules(Authentication method) {
            return HbaRules.of(("local all,replication all %1$s\n" + rules).formatted(method.keyword));
        }
    }

    /**
     * Properties of the nodes that restrict what clients may do.
     *
     * @param tablespaces whether new tablespaces may be created; false where Satellites would use the Master's directory
     * @param settings names, in lower case, of the parameters that differ between nodes by configuration
     */
    public record NodeTraits(boolean tablespaces, Set<String> settings) {}

    /**
     * The things to be known about clients' statements. Sessions that begin while it is nothing are not watched.
     *
     * @param slow time from which a statement is written to the log; zero for none
     * @param literals whether the literals of such a statement are shown
     * @param shapes whether times are kept by shape
     * @param traces receives the statements that belong to a trace of the client's application; null if nobody does
     */
    public record Watching(
            Duration slow,
            boolean literals,
            boolean shapes,
            @Nullable StatementTraces traces) {
        public static final Watching NOTHING = new Watching(Duration.ZERO, false, false, null);

        public boolean isAnything() {
            return shapes || slow.isPositive() || traces != null;
        }
    }

    /** Methods by which clients authenticate. */
    public enum Authentication {
        /** No authentication: any client may claim any role. */
        TRUST("trust"),
        /** SCRAM-SHA-256 against the Master's own roles. */
        SCRAM_SHA_256("scram-sha-256");

        private final String keyword;

        Authentication(String keyword) {
            this.keyword = keyword;
        }
    }

    /** Returns default options for one loop on this address. */
    public static EndpointOptions defaults(InetSocketAddress address) {
        Transport transport = Transport.EPOLL.isAvailable() ? Transport.EPOLL : Transport.NIO;
        return new EndpointOptions(
                new Listening(address, null, transport, 1, Duration.ZERO),
                new Login(Plaintext.ANYBODY.rules(Authentication.TRUST), null, Set.of(), Set.of()),
                Freshness.STRONG,
                EndpointLimits.DEFAULT,
                EndpointTimeouts.DEFAULT,
                new NodeTraits(true, Set.of()),
                RouteRules.NONE,
                Watching.NOTHING);
    }

    /** Returns options by which all clients authenticate by the same method. */
    public EndpointOptions withAuthentication(Authentication method) {
        return withRules(Plaintext.ANYBODY.rules(method));
    }

    public EndpointOptions withRules(HbaRules other) {
        return with(listening, login.with(other));
    }

    public EndpointOptions withTls(SslContext other) {
        return with(listening, login.with(other));
    }

    public EndpointOptions withAdminUsers(Set<String> admins, Set<String> stats) {
        return with(listening, new Login(login.rules(), login.tls(), admins, stats));
    }

    public EndpointOptions withLoops(int other) {
        return with(listening.withLoops(other), login);
    }

    public EndpointOptions withLimits(EndpointLimits other) {
        return new EndpointOptions(listening, login, freshness, other, timeouts, nodes, routes, watching);
    }

    public EndpointOptions withTimeouts(EndpointTimeouts other) {
        return new EndpointOptions(listening, login, freshness, limits, other, nodes, routes, watching);
    }

    public EndpointOptions withWatching(Watching other) {
        return new EndpointOptions(listening, login, freshness, limits, timeouts, nodes, routes, other);
    }

    private EndpointOptions with(Listening otherListening, Login otherLogin) {
        return new EndpointOptions(otherListening, otherLogin, freshness, limits, timeouts, nodes, routes, watching);
    }
}
