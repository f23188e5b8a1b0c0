package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.dispatch.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What a unit needs.
 *
 * @param masterReason why only the Master can execute it; null for what a Satellite may execute
 * @param because a few words about the statement, for {@code SHOW multimed.route}
 */
record Access(@Nullable Reason masterReason, String because) {
    static final Access READ = new Access(null, "read");
    static final Access CHOSEN = master(Reason.CHOSEN, "multimed.reads");

    static Access master(Reason reason, String because) {
        return new Access(reason, because);
    }

    boolean isRead() {
        return masterReason == null;
    }
}
