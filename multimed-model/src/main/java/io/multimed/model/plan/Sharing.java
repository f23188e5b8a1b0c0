package io.multimed.model.plan;

/** The division of the cores among the nodes. */
public enum Sharing {
    /** Each node has cores that no other node uses. */
    DEDICATED("each node has cores of its own"),
    /** The middleware has cores of its own; the engines share the others, except that the Satellites do not use some of them. */
    ENGINES_SHARE("engines share all but the middleware's cores, satellites keep off those reserved for the master"),
    /** The middleware and the Master have cores of their own, the Satellites share the others. */
    SATELLITES_SHARE("satellites share cores"),
    /** The Satellites do not use a few of the cores; the Master and the middleware may use all. */
    RESERVED("satellites keep off the cores reserved for the master and the middleware"),
    /** Every node may use every core; the kernel's scheduler divides the time. */
    SHARED("all nodes share all cores");

    private final String text;

    Sharing(String text) {
        this.text = text;
    }

    /** Returns a short description for people. */
    public String text() {
        return text;
    }

    /** Whether some node may not use all cores. */
    public boolean pinned() {
        return this != SHARED;
    }
}
