package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.Deallocations;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ExtendedMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Portals that no engine knows. Each message about them is answered here, in its place among the engine's replies. */
public final class OwnPortals {
    /** The replies about a portal. */
    interface Portal {
        /** Writes the reply to Describe. */
        void describe(ByteBuf out);

        /** Writes the reply to Execute. */
        void execute(ByteBuf out);

        /** Whether a second execution is an error. */
        boolean runsOnce();
    }

    private final Exchange exchange;
    /** The portals by name, with one character per byte of the message. */
    private final Map<String, Portal> portals = new HashMap<>();
    /** The portals that run only once and have been executed. */
    private final Set<Portal> executed = new HashSet<>();
    /**
     * Names in {@link #portals} for which the engine was later sent a Bind. The engine either has a portal of that name or has
     * failed.
     */
    private final Set<String> replaced = new HashSet<>();

    public OwnPortals(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return portals.isEmpty();
    }

    /** The name of the portal that a Bind at {@code index} creates. */
    public static String made(ByteBuf in, int index, ExtendedMessage.Bind bind) {
        return in.toString(index + 5, bind.statementStart() - 6, StandardCharsets.ISO_8859_1);
    }

    /** The name of the portal that an Execute at {@code index} executes. */
    public static String executed(ByteBuf in, int index) {
        int length = in.getInt(index + 1) - 9;
        return length < 0 ? "" : in.toString(index + 5, length, StandardCharsets.ISO_8859_1);
    }

    /** Records the portal of a Bind and answers the Bind. */
    void bound(String name, Portal portal) {
        portals.put(name, portal);
        replaced.remove(name);
        answer(BackendMessages::bindComplete, () -> portals.remove(name));
    }

    /**
     * The name of the portal that a Bind at the head of {@code in} creates, if a portal here has that name and it is not free;
     * otherwise null.
     */
    @Nullable
    String taken(ByteBuf in, ExtendedMessage.Bind bind) {
        if (portals.isEmpty()) {
            return null;
        }
        String name = made(in, in.readerIndex(), bind);
        return name.isEmpty() || known(name) == null ? null : name;
    }

    /** Notes that a Bind at the head of {@code in} creates a portal in the engine. */
    void boundToOther(ByteBuf in, ExtendedMessage.Bind bind) {
        if (!portals.isEmpty()) {
            String name = made(in, in.readerIndex(), bind);
            if (portals.containsKey(name)) {
                replaced.add(name);
            }
        }
    }

    /** The portal of this name if it is one of these, as far as is known; otherwise null. */
    private @Nullable Portal known(String name) {
        return replaced.contains(name) ? null : portals.get(name);
    }

    /**
     * Answers a Describe.
     *
     * @return whether the portal is one of these
     */
    boolean describe(String name) {
        Portal portal = known(name);
        if (portal == null) {
            return false;
        }
        answer(portal::describe);
        return true;
    }

    /**
     * Answers a Close.
     *
     * @return whether the portal was one of these
     */
    boolean close(String name) {
        Portal portal = portals.remove(name);
        if (portal == null) {
            return false;
        }
        if (replaced.remove(name)) {
            answer(out -> {}, () -> {
                portals.put(name, portal);
                replaced.add(name);
            });
            return false;
        }
        answer(BackendMessages::closeComplete, () -> portals.put(name, portal));
        return true;
    }

    /**
     * The name of the portal in an Execute at the head of {@code in}, if the portal runs only once and has been executed; otherwise
     * null.
     */
    @Nullable
    String executedBefore(ByteBuf in) {
        if (executed.isEmpty()) {
            return null;
        }
        String name = executed(in, in.readerIndex());
        Portal portal = known(name);
        return portal != null && executed.contains(portal) ? name : null;
    }

    /**
     * The name of the portal in an Execute at the head of {@code in}, if the engine was sent a Bind for it in place of one of
     * these. The engine may have failed to create it. Otherwise null.
     */
    @Nullable
    String replaced(ByteBuf in) {
        if (replaced.isEmpty()) {
            return null;
        }
        String name = executed(in, in.readerIndex());
        return replaced.contains(name) ? name : null;
    }

    /**
     * Answers an Execute at the head of {@code in}.
     *
     * @return whether the portal is one of these
     */
    boolean execute(ByteBuf in) {
        Portal portal = portals.isEmpty() ? null : known(executed(in, in.readerIndex()));
        if (portal == null) {
            return false;
        }
        if (portal.runsOnce()) {
            executed.add(portal);
        }
        answer(portal::execute);
        return true;
    }

    /** Forgets all portals, since the transaction is over. */
    void forget() {
        portals.clear();
        executed.clear();
        replaced.clear();
    }

    /** Whether the unnamed portal is one of these, or would be if the engine has failed to create another. */
    private boolean isUnnamedKnown() {
        return portals.containsKey("");
    }

    /**
     * Returns the effects of a Query. Its first statement destroys the unnamed portal unless it fails.
     *
     * @param executed the effects of executing the Query on the session
     * @return these effects together with the effect on that portal
     */
    public Note queryBegins(Note executed) {
        if (!isUnnamedKnown()) {
            return executed;
        }
        Deallocations effects = executed.subject() instanceof Deallocations others ? others : new Deallocations();
        effects.addToFirst(this::forgetUnnamed);
        return new Note(false, effects);
    }

    /** Forgets the unnamed portal, since it is destroyed. */
    public void forgetUnnamed() {
        portals.remove("");
        replaced.remove("");
    }

    void answer(Consumer<ByteBuf> message) {
        answer(message, () -> {});
    }

    private void answer(Consumer<ByteBuf> message, Runnable ignored) {
        ByteBuf out = Unpooled.buffer(64);
        message.accept(out);
        exchange.answer(ByteBufUtil.getBytes(out), ignored);
    }
}
