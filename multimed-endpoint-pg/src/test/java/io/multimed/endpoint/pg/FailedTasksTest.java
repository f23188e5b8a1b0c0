package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.counters.AdminTable;
import io.multimed.endpoint.pg.services.EngineSessions.Seen;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client for which something fails that is done later is disconnected. It does not wait for ever, and the others go on. */
@Timeout(60)
class FailedTasksTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    /** Fails wherever it is shown. */
    private static final class Fails {
        private final boolean isError;

        Fails(boolean isError) {
            this.isError = isError;
        }

        @Override
        public String toString() {
            if (isError) {
                throw new AssertionError("fails on purpose");
            }
            throw new IllegalStateException("fails on purpose");
        }
    }

    /** Fails when it is searched. */
    private static final class FailingSet extends AbstractSet<String> {
        private final Fails fails;

        FailingSet(Fails fails) {
            this.fails = fails;
        }

        @Override
        public boolean contains(Object name) {
            return fails.toString().equals(name);
        }

        @Override
        public Iterator<String> iterator() {
            return Set.<String>of().iterator();
        }

        @Override
        public int size() {
            return 1;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatTheAdminDatabaseHasFound(boolean isError) throws IOException {
        multimed.nodeTable = () -> new AdminTable(List.of("node"), List.of(List.of(new Fails(isError))));
        try (WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)) {
            admin.send(FrontendBytes.query("SHOW NODES"));
            assertTrue(admin.client().endsWithin(PATIENCE));
        }
        try (WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)) {
            assertFalse(admin.rows("SHOW STATS").isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasFoundAboutOtherSessions(boolean isError) throws IOException {
        try (WireSession other = multimed.open();
                WireSession session = multimed.open()) {
            multimed.seen = seen -> new Seen(new FailingSet(new Fails(isError)), Set.of(), Map.of());
            session.send(FrontendBytes.query("SELECT count(*) FROM pg_stat_activity"));
            assertTrue(session.client().endsWithin(PATIENCE));
            multimed.seen = UnaryOperator.identity();
            assertEquals("t", other.value("SELECT count(*) > 0 FROM pg_stat_activity"));
        }
    }
}
