package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.dispatch.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The kind of node that a unit needs.
 *
 * @param masterReason the reason why only the Master can execute it; null if a Satellite may execute it
 * @param because a short description of the statement, for {@code SHOW multimed.route}
 */
record Access(@Nullable Reason masterReason, String because) {
    static final Access READ = new Access(null, "read");
    /** A read of tables that the partial Satellite of its block does not hold. */
    static final Access NOT_HELD = master(Reason.NOT_HELD, "the satellite does not hold all that the statement reads");

    static final Access CHOSEN = master(Reason.CHOSEN, "multimed.reads");

    /** A read that a routing rule sends to the Master. */
    static final Access RULE = master(Reason.RULE, Reason.RULE.text());

    static Access master(Reason reason, String because) {
        return new Access(reason, because);
    }

    boolean isRead() {
        return masterReason == null;
    }
}
