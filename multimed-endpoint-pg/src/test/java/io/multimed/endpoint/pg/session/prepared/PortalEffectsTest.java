package io.multimed.endpoint.pg.session.prepared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.sql.Statement;
import io.multimed.testkit.wire.FrontendBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortalEffectsTest {
    private static final List<Statement> COMMIT = List.of(new Statement.Commit(false));

    private final PortalEffects effects = new PortalEffects();

    private void bind(String portal, List<Statement> statements) {
        ByteBuf message = Unpooled.wrappedBuffer(FrontendBytes.bind(portal, "s"));
        ExtendedMessage.Bind bind = ExtendedMessage.Bind.decode(message, 0);
        assertNotNull(bind);
        effects.bound(message, bind, statements);
    }

    private List<Statement> execute(String portal) {
        return effects.executed(Unpooled.wrappedBuffer(FrontendBytes.execute(portal, 0)));
    }

    @Test
    void theExecutedPortalHasItsEffect() {
        bind("", COMMIT);
        bind("p", List.of(new Statement.Listen("c")));
        assertEquals(COMMIT, execute(""));
        assertEquals(List.of(new Statement.Listen("c")), execute("p"));
        assertEquals(List.of(), execute("unknown"));
    }

    @Test
    void aPortalIsReplacedByAnotherOfItsName() {
        bind("", COMMIT);
        bind("", List.of());
        assertEquals(List.of(), execute(""));
        assertTrue(effects.isEmpty());
    }

    @Test
    void noPortalOutlastsItsTransaction() {
        bind("p", COMMIT);
        effects.forget();
        assertEquals(List.of(), execute("p"));
        assertTrue(effects.isEmpty());
    }
}
