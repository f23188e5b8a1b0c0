package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.protocol.pg.Frontend;

/**
 * The portal that a client has bound, but not executed yet, when it pauses amid a segment.
 *
 * <p>Until it is executed, its block can go on on this engine alone. Once it is executed to its end, the pause makes no
 * difference: the block may move to the Master as if the segment had come as a whole.
 */
final class PausedPortal {
    private final TransactionBlock block;
    private boolean bound;

    PausedPortal(TransactionBlock block) {
        this.block = block;
    }

    boolean isBound() {
        return bound;
    }

    /** The messages up to the pause are being sent: they bind the portal without a name, and do not execute it. */
    void pauses() {
        bound = true;
        block.portalIsUnderWay(true);
    }

    /**
     * A message behind the pause is being sent.
     *
     * @param toItsEnd if it is an Execute: it asks for all rows
     */
    void sent(byte type, boolean toItsEnd) {
        if (!bound) {
            return;
        }
        if (type == Frontend.EXECUTE && toItsEnd) {
            forget();
        } else if (type == Frontend.EXECUTE || type == Frontend.SYNC || type == Frontend.BIND) {
            forget();
            block.keepsPortal();
        }
    }

    /** There is none: what was sent has come to nothing, or is sent again. */
    void forget() {
        if (bound) {
            bound = false;
            block.portalIsUnderWay(false);
        }
    }
}
