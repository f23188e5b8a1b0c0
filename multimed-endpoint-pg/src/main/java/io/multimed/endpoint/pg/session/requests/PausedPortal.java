package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.protocol.pg.Frontend;

/**
 * The portal that a client has bound but not yet executed when it pauses in the middle of a segment.
 *
 * <p>Until the portal is executed, its block can go on only on this engine. Once it is executed to its end, the pause makes no
 * difference, and the block may move to the Master as if the segment had arrived as a whole.
 */
public final class PausedPortal {
    private final TransactionBlock block;
    private boolean bound;

    public PausedPortal(TransactionBlock block) {
        this.block = block;
    }

    boolean isBound() {
        return bound;
    }

    /** Notes that the messages up to the pause are being sent. They bind the unnamed portal and do not execute it. */
    void pauses() {
        bound = true;
        block.portalIsUnderWay(true);
    }

    /**
     * Notes that a message behind the pause is being sent.
     *
     * @param toItsEnd for an Execute, whether it asks for all rows
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

    /** Forgets the portal, because the messages sent had no effect or are sent again. */
    void forget() {
        if (bound) {
            bound = false;
            block.portalIsUnderWay(false);
        }
    }
}
