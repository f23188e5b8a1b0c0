package io.multimed.endpoint.pg.session.loop;

/** The right of a session to hold a connection to an engine. Event loop only. */
public interface ConnectionTurn {
    /**
     * Takes the right, if it is not held already.
     *
     * @return false if too many others hold it
     */
    boolean take();

    /** Gives the right back, if it is held. */
    void giveBack();
}
