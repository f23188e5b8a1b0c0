package io.multimed.endpoint.pg.session.exchange;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds back a Satellite's replies to a unit until it is sure that the unit need not run elsewhere, that is, until the first row or
 * the end of the command. If the unit runs elsewhere, the replies are thrown away.
 */
final class HeldReplies {
    private final ClientLink client;
    private final List<ByteBuf> held = new ArrayList<>();
    private boolean holding;
    private boolean discarding;
    /** Whether the unit may still run elsewhere, because the client has seen nothing of its replies. */
    private boolean retryable;
    /**
     * The bytes that the client is sent in place of the engine's latest message, after all earlier messages have been passed on.
     */
    private @Nullable ByteBuf substitute;

    HeldReplies(ClientLink client) {
        this.client = client;
    }

    /** Begins a unit whose replies are held back. */
    void hold() {
        retryable = true;
        holding = true;
        discarding = false;
    }

    /** Stops holding back and passes the replies to the client, because another unit follows before the first is answered. */
    void giveUpHolding() {
        retryable = false;
        holding = false;
        release();
    }

    /** Ends holding back, because a part of the reply goes to the client. The unit can no longer run elsewhere. */
    void decided() {
        holding = false;
    }

    /** Discards all replies from now on, because the unit has to run elsewhere. */
    void discard() {
        discarding = true;
    }

    boolean isDiscarding() {
        return discarding;
    }

    /** Whether the unit may still run elsewhere if an error comes now. */
    boolean isUndecided() {
        return holding && retryable;
    }

    /** Whether the client has seen nothing of the reply, so that the unit can run elsewhere after a lost connection. */
    boolean isUnseen() {
        return retryable && (holding || discarding);
    }

    /**
     * Takes a reply of the engine without taking over the reference.
     *
     * @return whether the client is sent it now
     */
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

    /** Passes on a reply of Multimed's own in its place among the engine's replies. Takes over the reference. */
    void pass(ByteBuf bytes) {
        if (holding) {
            held.add(bytes);
        } else {
            release();
            client.write(bytes);
        }
    }

    /**
     * Sets the bytes that the client is sent in place of the engine's present message, after all earlier messages have been passed
     * on.
     */
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

    /** Sends the client the replies that were held back. */
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

    /** Resets the state at the end of the unit or of the connection. */
    void end() {
        if (!held.isEmpty() || substitute != null) {
            clientGone();
        }
        holding = false;
        discarding = false;
        retryable = false;
    }

    /** Releases all bytes, because the client is gone. */
    void clientGone() {
        drop();
        ByteBuf bytes = substitute;
        if (bytes != null) {
            substitute = null;
            bytes.release();
        }
    }
}
