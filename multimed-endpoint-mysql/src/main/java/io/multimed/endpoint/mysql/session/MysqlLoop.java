package io.multimed.endpoint.mysql.session;

import io.multimed.core.admission.WaitingReaders;
import io.multimed.core.counters.ConnectionCounts;
import io.multimed.core.counters.RouteCounters;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.mysql.backend.OwnConnection;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.services.MysqlEndpointServices;
import io.multimed.sql.mysql.MysqlParser;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The parts that the sessions of one event loop share.
 *
 * <p>It has more fields than other classes, since it is the list of these parts.
 */
public final class MysqlLoop {
    private final EventLoop loop;
    private volatile MysqlEndpointOptions options;
    private final MysqlEndpointServices services;
    private final OwnConnection own;
    private final WaitingReaders readers;
    private final MysqlVisibilityProbe probe;
    private final SessionNumbers numbers;
    private final BaseTables tables;
    private final MasterLinks masterLinks;
    private final MysqlParser parser;
    private final PreparedCounts preparedCounts;
    private final ShortReads shortReads = new ShortReads();
    private final SharedGroups shared;
    private final Set<MysqlSession> sessions = new LinkedHashSet<>();
    private final RouteCounters counters = new RouteCounters();

    public MysqlLoop(
            EventLoop loop,
            MysqlEndpointOptions options,
            MysqlEndpointServices services,
            SessionNumbers numbers,
            BaseTables tables,
            MysqlParser parser,
            PreparedCounts preparedCounts) {
        this.loop = loop;
        this.options = options;
        this.services = services;
        this.numbers = numbers;
        this.tables = tables;
        this.parser = parser;
        this.preparedCounts = preparedCounts;
        masterLinks = new MasterLinks(
                loop,
                options.connections() / options.loops(),
                options.waits().login().toNanos());
        own = new OwnConnection(
                loop,
                () -> services.socketPath().apply(services.admission().nodes().master()),
                services.account());
        shared = new SharedGroups(this, options.loops());
        readers = new WaitingReaders(services.gate(), loop);
        probe = new MysqlVisibilityProbe(own, services.admission());
    }

    EventLoop loop() {
        return loop;
    }

    MysqlEndpointOptions options() {
        return options;
    }

    /** Changes what can be changed while sessions run. Those that have begun keep their freshness. */
    public void options(MysqlEndpointOptions changed) {
        options = changed;
    }

    MysqlEndpointServices services() {
        return services;
    }

    OwnConnection own() {
        return own;
    }

    WaitingReaders readers() {
        return readers;
    }

    MysqlVisibilityProbe probe() {
        return probe;
    }

    SessionNumbers numbers() {
        return numbers;
    }

    MasterLinks masterLinks() {
        return masterLinks;
    }

    BaseTables tables() {
        return tables;
    }

    PreparedCounts preparedCounts() {
        return preparedCounts;
    }

    MysqlParser parser() {
        return parser;
    }

    /** Returns the counts of what the sessions do; for any thread. */
    public RouteCounters counters() {
        return counters;
    }

    /** Returns the numbers of the sessions' connections to each node, the Master first; for use on the loop. */
    public List<ConnectionCounts> connections() {
        Nodes nodes = services.admission().nodes();
        List<ConnectionCounts> all = new ArrayList<>();
        all.add(masterLinks.counts(nodes.master().id()));
        for (ComputationalNode node : nodes.satellites()) {
            all.add(shared.counts(node));
            int busy = 0;
            int bound = 0;
            for (MysqlSession session : sessions) {
                busy += session.isConnected(node, true) ? 1 : 0;
                bound += session.isConnected(node, false) ? 1 : 0;
            }
            all.add(new ConnectionCounts(node.id(), busy + bound, 0, bound, 0));
        }
        return all;
    }

    ShortReads shortReads() {
        return shortReads;
    }

    SharedGroups shared() {
        return shared;
    }

    /** Gives up all connections to a Satellite that is gone; on the loop. */
    public void satelliteGone(ComputationalNode node) {
        shared.nodeGone(node);
        List.copyOf(sessions).forEach(session -> session.nodeGone(node));
    }

    /** Returns the sessions of the loop; for use on the loop. */
    public Set<MysqlSession> sessions() {
        return sessions;
    }

    public void close() {
        shared.close();
        shortReads.close();
        own.close();
        readers.close();
    }
}
