package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.SharedListener;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The channels to which a session listens over the connection that all sessions share, and the changes of LISTEN and UNLISTEN. */
final class ListenedChannels {
    private final LoopContext loop;
    private final PoolKey key;
    private final SessionControl owner;
    private final Waiting waiting;
    private final SharedListener.Listener listener;
    private final Instructions instructions;
    private final Set<String> channels = new LinkedHashSet<>();
    /** Whether a unit of LISTEN and UNLISTEN is under way or done. If it failed, the error is in {@link #failure}. */
    private boolean asked;

    private boolean answered;
    /** The change that is under way; null if there is none. */
    private @Nullable ChannelChange change;

    private @Nullable ErrorFields failure;
    /** Whether the session's backend was made to listen to the channels, so that statements can ask for them. */
    private boolean recalled;

    ListenedChannels(
            LoopContext loop,
            PoolKey key,
            SessionControl owner,
            Waiting waiting,
            Instructions instructions,
            SharedListener.Listener listener) {
        this.loop = loop;
        this.key = key;
        this.owner = owner;
        this.waiting = waiting;
        this.instructions = instructions;
        this.listener = listener;
    }

    private SharedListener shared() {
        return loop.listener(key);
    }

    boolean isEmpty() {
        return channels.isEmpty();
    }

    boolean contains(String channel) {
        return channels.contains(channel);
    }

    /** Whether no LISTEN or UNLISTEN is under way and no backend listens for the session. */
    boolean isIdle() {
        return !asked && change == null && !recalled;
    }

    /**
     * Applies the statements, all of which are {@link ChannelChange#isOnly LISTEN or UNLISTEN}.
     *
     * @return false when the session has to wait for that
     */
    boolean apply(List<Statement> statements) {
        if (answered) {
            return true;
        }
        waiting.begin(Wait.NOTIFICATIONS);
        if (!asked) {
            asked = true;
            next(ChannelChange.of(channels, statements));
        }
        if (answered) {
            waiting.end();
        }
        return answered;
    }

    /** Listens to the added channels one after the other. Channels are given up only after that has succeeded. */
    private void next(ChannelChange now) {
        change = now;
        String channel = now.missing().poll();
        if (channel != null) {
            shared().listen(channel, listener, error -> listened(now, channel, error));
            return;
        }
        for (String each : List.copyOf(channels)) {
            if (!now.wanted().contains(each)) {
                forget(each);
            }
        }
        finished(null);
    }

    @SuppressWarnings("ReferenceEquality") // This very change; the next one may be equal.
    private void listened(ChannelChange now, String channel, @Nullable ErrorFields error) {
        if (error == null && !listener.isOver()) {
            now.added().add(channel);
        }
        if (change != now) {
            // The unit was cancelled in the meantime.
            undo(now);
        } else if (error != null) {
            undo(now);
            finished(error);
        } else {
            channels.add(channel);
            next(now);
        }
    }

    private void undo(ChannelChange failed) {
        for (String channel : failed.added()) {
            channels.remove(channel);
            shared().unlisten(channel, listener);
        }
        failed.added().clear();
    }

    /** Cancels a LISTEN that waits, which then has no effect. */
    void cancel() {
        ChannelChange under = change;
        if (under != null) {
            change = null;
            undo(under);
            finished(Unit.CANCELLED);
        }
    }

    private void finished(@Nullable ErrorFields error) {
        change = null;
        answered = true;
        failure = error;
        owner.resume(Wait.NOTIFICATIONS);
    }

    /** The error of the statements, once they are {@link #apply applied}; null if they succeeded. Resets the answer. */
    @Nullable
    ErrorFields takeFailure() {
        asked = false;
        answered = false;
        ErrorFields error = failure;
        failure = null;
        return error;
    }

    /** Stops listening to a channel, or to all channels if it is null. */
    void forget(@Nullable String channel) {
        if (channel != null) {
            if (channels.remove(channel)) {
                shared().unlisten(channel, listener);
            }
            return;
        }
        List<String> all = new ArrayList<>(channels);
        channels.clear();
        all.forEach(each -> shared().unlisten(each, listener));
    }

    /** Calls back when all notifications that are committed by now have arrived. */
    void whenAllIsTold(Runnable then) {
        shared().whenAllIsTold(then);
    }

    /** Makes the session's backend listen to the channels too. */
    void recall() {
        instructions.send(SharedListener.sql("LISTEN", channels), Note.INTERNAL);
        recalled = true;
    }

    /**
     * Makes the backend stop listening after the transaction.
     *
     * @return whether that is necessary
     */
    boolean forgetRecalled() {
        if (!recalled) {
            return false;
        }
        recalled = false;
        instructions.send(SharedListener.sql("UNLISTEN", channels), Note.INTERNAL);
        return true;
    }

    /** Forgets all channels, because the shared connection is lost. */
    void lost() {
        channels.clear();
    }
}
