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
        answer(BackendMessages::bindComplete, () -> portals.remove(name));
    }

    /** A Bind at the head of {@code in} makes a portal that the engine knows. */
    void boundToOther(ByteBuf in, ExtendedMessage.Bind bind) {
        if (!portals.isEmpty()) {
            portals.remove(made(in, in.readerIndex(), bind));
        }
    }

    /** Answers a Describe. @return whether it is a portal of this kind */
    boolean describe(String name) {
        Portal portal = portals.get(name);
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
        return executed.contains(portals.get(name)) ? name : null;
    }

    /** Answers an Execute at the head of {@code in}. @return whether it is of a portal of this kind */
    boolean execute(ByteBuf in) {
        Portal portal = portals.isEmpty() ? null : portals.get(executed(in, in.readerIndex()));
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
    }

    /** The unnamed portal is destroyed. */
    void forgetUnnamed() {
        if (!portals.isEmpty()) {
            portals.remove("");
        }
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
