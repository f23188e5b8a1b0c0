package io.multimed.model.plan;

/** How the nodes divide the cores among them. */
public enum Sharing {
    /** Each has cores that no other node uses. */
    DEDICATED("each node has cores of its own"),
    /** The middleware has cores of its own; the engines share the others, of which the Satellites leave some to the Master. */
    ENGINES_SHARE("engines share all but the middleware's cores, satellites keep off those reserved for the master"),
    /** The middleware and the Master have cores of their own, the Satellites share the others. */
    SATELLITES_SHARE("satellites share cores"),
    /** The Satellites keep off a few cores; the Master and the middleware may use all. */
    RESERVED("satellites keep off the cores reserved for the master and the middleware"),
    /** Every node may use every core; the kernel's scheduler divides the time. */
    SHARED("all nodes share all cores");

    private final String text;

    Sharing(String text) {
        this.text = text;
    }

    /** A few words for a person. */
    public String text() {
        return text;
    }

    /** Whether anybody has cores that others have not. */
    public boolean pinned() {
        return this != SHARED;
    }
}
