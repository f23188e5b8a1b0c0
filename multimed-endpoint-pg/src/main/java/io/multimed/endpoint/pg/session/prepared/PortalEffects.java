package io.multimed.endpoint.pg.session.prepared;

import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The portals of statements whose execution affects the session. The execution may come in a later segment than the Bind, in
 * another order, or never.
 */
public final class PortalEffects {
    private final Map<String, List<Statement>> portals = new HashMap<>(0);

    /** Whether no portal has effects that are still to be noted. */
    public boolean isEmpty() {
        return portals.isEmpty();
    }

    /**
     * Records the portal of the Bind at the head of {@code in}, which is made of these statements. The list is empty if none of
     * them affects the session.
     */
    void bound(ByteBuf in, ExtendedMessage.Bind bind, List<Statement> statements) {
        if (!statements.isEmpty()) {
            portals.put(OwnPortals.made(in, in.readerIndex(), bind), statements);
        } else if (!portals.isEmpty()) {
            portals.remove(OwnPortals.made(in, in.readerIndex(), bind));
        }
    }

    /** The statements that the Execute at the head of {@code in} executes, as far as they affect the session. */
    List<Statement> executed(ByteBuf in) {
        return portals.isEmpty()
                ? List.of()
                : portals.getOrDefault(OwnPortals.executed(in, in.readerIndex()), List.of());
    }

    /** Forgets all portals, since the transaction is over. */
    void forget() {
        portals.clear();
    }
}
