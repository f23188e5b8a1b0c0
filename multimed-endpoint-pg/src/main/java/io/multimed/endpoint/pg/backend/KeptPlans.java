package io.multimed.endpoint.pg.backend;

import io.multimed.core.propagation.Floor;

/**
 * Age of the plans that one engine session keeps. PostgreSQL replans when an object used by the plan changes. It does not replan
 * when another object comes to hide that one ({@code plancache.c}, {@code RevalidateCachedQuery}), so each engine session would
 * continue with the object that was there when it made its plan. Event loop only.
 */
public final class KeptPlans {
    private static final long NONE = Long.MIN_VALUE;

    private long version = NONE;
    /** A later version, which the engine shows once it has applied {@link #awaitedScn}. */
    private long awaited = NONE;

    private long awaitedScn;
    private boolean any;
    private boolean temporarySchema;

    KeptPlans() {}

    /** Whether no plan is older than this version of the database's schema. */
    public boolean areOf(long now) {
        return version == now;
    }

    /** Whether the engine session may keep any plans. */
    public boolean any() {
        return any;
    }

    /**
     * The engine session, on the Master, is about to execute something, for which it makes all its plans anew if it has any.
     *
     * @param now version of the database's schema
     * @param shown whether the Master shows it
     */
    public void areMadeOnMaster(long now, boolean shown) {
        any = true;
        if (shown) {
            version = now;
        }
    }

    /**
     * The same on a Satellite.
     *
     * @param now version of the database's schema
     * @param floor SCN of the last received commit, at which the Master shows the version; {@link Floor#UNKNOWN} if it may not
     *     show it yet
     * @param applied the latest SCN that the engine shows
     */
    public void areMade(long now, long floor, long applied) {
        any = true;
        if (floor == Floor.UNKNOWN) {
            return;
        }
        if (awaited != now) {
            awaited = now;
            awaitedScn = floor;
        }
        if (applied >= awaitedScn) {
            version = now;
        }
    }

    /** The engine session may not have made them anew. */
    public void areUnknown() {
        version = NONE;
        awaited = NONE;
    }

    /** Whether the session has had temporary objects: plans may miss that another one hides what they use. */
    public boolean mayMissTemporaries() {
        return temporarySchema;
    }

    /** Sets whether the engine session has a schema for temporary objects, even an empty one. */
    public void hasTemporarySchema(boolean has) {
        temporarySchema = has;
    }
}
