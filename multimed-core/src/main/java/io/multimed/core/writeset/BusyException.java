package io.multimed.core.writeset;

/**
 * A Satellite's readers hold what a write set must change. It has undone everything since its last commit, and will be asked
 * again; it has not diverged.
 */
public final class BusyException extends Exception {
    private static final long serialVersionUID = 1;

    public BusyException(Throwable cause) {
        super("the satellite's readers are in the way", cause);
    }
}
