package io.multimed.endpoint.pg.session.exchange;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds back what a Satellite answers to a unit until it is sure that the unit need not run elsewhere, that is until the
 * first row or the command's end; throws it away when it must.
 */
final class HeldReplies {
    private final ClientLink client;
    private final List<ByteBuf> held = new ArrayList<>();
    private boolean holding;
    private boolean discarding;
    /** The unit may still run elsewhere: none of its answer has been given to the client. */
    private boolean retryable;
    /** What the client gets in place of the engine's message handled last, when all before it is passed on. */
    private @Nullable ByteBuf substitute;

    HeldReplies(ClientLink client) {
        this.client = client;
    }

    /** A unit begins whose replies are held back. */
    void hold() {
        retryable = true;
        holding = true;
        discarding = false;
    }

    /** Another unit follows before the first is answered: what is held back belongs to the client after all. */
    void giveUpHolding() {
        retryable = false;
        holding = false;
        release();
    }

    /** Something of the answer goes to the client: too late to run the unit elsewhere. */
    void decided() {
        holding = false;
    }

    /** The unit cannot run here: what the engine still answers is not for the client. */
    void discard() {
        discarding = true;
    }

    boolean isDiscarding() {
        return discarding;
    }

    /** Whether an error now may still be answered by running the unit elsewhere. */
    boolean isUndecided() {
        return holding && retryable;
    }

    /** Whether nothing of the answer has been given to the client, so that a lost connection can be made good. */
    boolean isUnseen() {
        return retryable && (holding || discarding);
    }

    /** Takes what the engine answered, without taking over the reference. @return whether the client gets it now */
    boolean passes(ByteBuf in, int from, int to) {
        if (discarding) {
            drop();
            return false;
        }
        if (holding) {
            held.add(in.retainedSlice(from, to - from));
            return false;
        }
        retryable = false;
        return true;
    }

    /** An answer of Multimed's own in its place among the engine's; takes over the reference. */
    void pass(ByteBuf bytes) {
        if (holding) {
            held.add(bytes);
        } else {
            release();
            client.write(bytes);
        }
    }

    /** The client gets this, when all before it is passed on, in place of the engine's message that is being handled. */
    void substitute(ByteBuf bytes) {
        substitute = bytes;
    }

    boolean hasSubstitute() {
        return substitute != null;
    }

    void passSubstitute() {
        ByteBuf bytes = substitute;
        if (bytes != null) {
            substitute = null;
            pass(bytes);
        }
    }

    /** Gives the client what was held back. */
    void release() {
        for (int i = 0; i < held.size(); i++) {
            client.write(held.get(i));
        }
        held.clear();
    }

    void drop() {
        for (int i = 0; i < held.size(); i++) {
            held.get(i).release();
        }
        held.clear();
    }

    /** The unit is over here, or the connection is. */
    void end() {
        clientGone();
        holding = false;
        discarding = false;
        retryable = false;
    }

    /** There is nobody to be given anything. */
    void clientGone() {
        drop();
        ByteBuf bytes = substitute;
        if (bytes != null) {
            substitute = null;
            bytes.release();
        }
    }
}
