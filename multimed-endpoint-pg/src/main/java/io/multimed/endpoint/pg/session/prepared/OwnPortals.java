package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.Exchange;
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

/** Portals of which no engine knows: each message about them is answered here, in its place among the engine's replies. */
public final class OwnPortals {
    /** What is told of a portal. */
    interface Portal {
        /** To Describe. */
        void describe(ByteBuf out);

        /** To Execute. */
        void execute(ByteBuf out);

        /** Whether executing it once more is an error. */
        boolean runsOnce();
    }

    private static final Runnable NOTHING = () -> {};

    private final Exchange exchange;
    /** Under their names as messages spell them. */
    private final Map<String, Portal> portals = new HashMap<>();
    /** Those that run once, and have. */
    private final Set<Portal> executed = new HashSet<>();
    /** Names under which the engine has been told to make a portal since, of {@link #portals}: it has one, or has failed. */
    private final Set<String> replaced = new HashSet<>();

    OwnPortals(Exchange exchange) {
        this.exchange = exchange;
    }

    /** The name of the portal that a Bind at {@code index} makes. */
    public static String made(ByteBuf in, int index, ExtendedMessage.Bind bind) {
        return in.toString(index + 5, bind.statementStart() - 6, StandardCharsets.ISO_8859_1);
    }

    /** The name of the portal that an Execute at {@code index} executes. */
    public static String executed(ByteBuf in, int index) {
        int length = in.getInt(index + 1) - 9;
        return length < 0 ? "" : in.toString(index + 5, length, StandardCharsets.ISO_8859_1);
    }

    /** A Bind makes this portal. */
    void bound(String name, Portal portal) {
        portals.put(name, portal);
        replaced.remove(name);
        answer(BackendMessages::bindComplete, () -> portals.remove(name));
    }

    /** The name of the portal that a Bind at the head of {@code in} makes, if one of this kind has it and it is not free; else null. */
    @Nullable
    String taken(ByteBuf in, ExtendedMessage.Bind bind) {
        if (portals.isEmpty()) {
            return null;
        }
        String name = made(in, in.readerIndex(), bind);
        return name.isEmpty() || known(name) == null ? null : name;
    }

    /** A Bind at the head of {@code in} makes a portal that the engine knows. */
    void boundToOther(ByteBuf in, ExtendedMessage.Bind bind) {
        if (!portals.isEmpty()) {
            String name = made(in, in.readerIndex(), bind);
            if (portals.containsKey(name)) {
                replaced.add(name);
            }
        }
    }

    /** The portal of this name if it is of this kind, as far as is known; else null. */
    private @Nullable Portal known(String name) {
        return replaced.contains(name) ? null : portals.get(name);
    }

    /** Answers a Describe. @return whether it is a portal of this kind */
    boolean describe(String name) {
        Portal portal = known(name);
        if (portal == null) {
            return false;
        }
        answer(portal::describe);
        return true;
    }

    /** Answers a Close. @return whether it was a portal of this kind */
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

    /** The name of the portal of an Execute at the head of {@code in} if that runs once and has; else null. */
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
     * The name of the portal of an Execute at the head of {@code in} if there must be one, be it that the engine has failed to make
     * it in place of one of this kind; else null.
     */
    @Nullable
    String replaced(ByteBuf in) {
        if (replaced.isEmpty()) {
            return null;
        }
        String name = executed(in, in.readerIndex());
        return replaced.contains(name) ? name : null;
    }

    /** Answers an Execute at the head of {@code in}. @return whether it is of a portal of this kind */
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

    /** The transaction is over, and every portal with it. */
    void forget() {
        portals.clear();
        executed.clear();
        replaced.clear();
    }

    /** Whether the unnamed portal is of this kind, or would be if the engine has failed to make another. */
    boolean isUnnamedKnown() {
        return portals.containsKey("");
    }

    /** The unnamed portal is destroyed. */
    void forgetUnnamed() {
        portals.remove("");
        replaced.remove("");
    }

    void answer(Consumer<ByteBuf> message) {
        answer(message, NOTHING);
    }

    private void answer(Consumer<ByteBuf> message, Runnable ignored) {
        ByteBuf out = Unpooled.buffer(64);
        message.accept(out);
        exchange.answer(ByteBufUtil.getBytes(out), ignored);
    }
}
