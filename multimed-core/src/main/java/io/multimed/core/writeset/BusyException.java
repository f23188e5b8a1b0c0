package io.multimed.core.writeset;

/**
 * Thrown when a Satellite's readers hold locks that prevent a write set from being applied. The Satellite has undone everything
 * since its last commit, and applying will be tried again; it has not diverged.
 */
public final class BusyException extends Exception {
    private static final long serialVersionUID = 1;

    public BusyException(Throwable cause) {
        super("the satellite's readers are in the way", cause);
    }
}
