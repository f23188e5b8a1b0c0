package io.multimed.endpoint.pg.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.session.SessionFreshness;
import io.multimed.endpoint.pg.services.EndpointServices;

/** The commits that replies show to the session. Its later reads, and others' reads on the Master, must show them too. */
final class ObservedCommits {
    private final SessionFreshness freshness;
    private final MasterVisibility visibility;
    private final MasterLog log;

    ObservedCommits(SessionFreshness freshness, EndpointServices services) {
        this.freshness = freshness;
        visibility = services.visibility();
        log = services.log();
    }

    /** Notes that bytes from a Satellite are about to reach the client. */
    void onSatellite(ComputationalNode node) {
        visibility.shown(node.forwarded());
        freshness.observedOnSatellite(node, log);
    }

    /** Notes that the Master has answered a unit. */
    void onMaster() {
        freshness.observedOnMaster(log);
    }
}
