package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionRequestTest {
    private static final PoolKey KEY = new PoolKey("postgres", "postgres", Map.of());

    @Test
    void waitIsLongInProportionToWhatItIsFor() {
        ConnectionRequest request = new ConnectionRequest(KEY, new QueueingWaiter(), -7, 1_000);
        assertFalse(request.hasWaitedLong(-7));
        assertFalse(request.hasWaitedLong(19_993));
        assertTrue(request.hasWaitedLong(19_994));
    }
}
