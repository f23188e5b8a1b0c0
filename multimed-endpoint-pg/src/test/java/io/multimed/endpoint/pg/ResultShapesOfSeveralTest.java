package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.describe;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients with different settings wait for one connection, and each has a statement that an engine must describe again first. */
@Timeout(60)
class ResultShapesOfSeveralTest {
    private static final int CLIENTS = 4;

    /** An engine session holds the statement of only one of them. */
    @RegisterExtension
    private static final EndpointOnOneEngine multimed =
            new EndpointOnOneEngine(options -> options.withLimits(options.limits()
                    .withConnections(4, 1)
                    .withSharing(new ReadSharing(1, 1))
                    .withPrepared(new EndpointLimits.Prepared(100, 1, 1 << 20, 1 << 20))));

    @Test
    void eachIsAnswered() throws Exception {
        try (WireSession owner = multimed.openEngine()) {
            owner.rows("CREATE TABLE told AS SELECT 1 AS i");
        }
        List<WireSession> clients = new ArrayList<>();
        try (WireSession busy = multimed.open()) {
            for (int i = 0; i < CLIENTS; i++) {
                WireSession client = multimed.open();
                clients.add(client);
                client.send(parse("s", "SELECT i + " + i + " FROM public.told"), describe('S', "s"), sync());
                assertEquals("1tTZ", Message.types(client.ready()));
                client.rows("SET extra_float_digits = " + -i);
                client.rows("SET search_path = s" + i + ", public");
            }
            LockedTable locked = LockedTable.readBy(busy, multimed, "busy");
            for (WireSession client : clients) {
                client.send(bind("", "s"), execute("", 0), sync());
            }
            awaitWaiting();
            locked.close();
            for (WireSession client : clients) {
                assertEquals("2DCZ", Message.types(client.ready()));
            }
        } finally {
            for (WireSession client : clients) {
                client.close();
            }
        }
    }

    private static void awaitWaiting() throws Exception {
        EndpointTest.await(() -> {
            try (WireSession admin =
                    WireSession.open(multimed.address(), "postgres", "multimed", Duration.ofSeconds(20))) {
                return admin.rows("SHOW CLIENTS").stream()
                                .filter(row -> String.valueOf(row.get(2)).equals("waiting: connection"))
                                .count()
                        == CLIENTS;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
