package io.multimed.endpoint.pg.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.protocol.pg.ProtocolException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartupParametersTest {
    @Test
    void theDatabaseIsThatOfTheUsersNameUnlessTheClientNamesOne() throws Exception {
        assertEquals("joe", StartupParameters.of(Map.of("user", "joe")).database());
        assertEquals(
                "joe",
                StartupParameters.of(Map.of("user", "joe", "database", "")).database());
        assertEquals(
                "shop",
                StartupParameters.of(Map.of("user", "joe", "database", "shop")).database());
    }

    @Test
    void aClientWithoutAUserIsRefused() {
        assertThrows(ProtocolException.class, () -> StartupParameters.of(Map.of("database", "shop")));
        assertThrows(ProtocolException.class, () -> StartupParameters.of(Map.of("user", "")));
    }

    @Test
    void longNamesAreCutBetweenCharacters() throws Exception {
        String user = "a".repeat(62) + "\u00e9x";
        assertEquals("a".repeat(62), StartupParameters.of(Map.of("user", user)).user());
        assertEquals(
                "b".repeat(63),
                StartupParameters.of(Map.of("user", "b".repeat(64))).user());
    }

    @Test
    void theEngineIsGivenTheOtherParameters() throws Exception {
        StartupParameters parameters =
                StartupParameters.of(Map.of("user", "joe", "database", "shop", "work_mem", "8MB"));
        assertEquals(Map.of("work_mem", "8MB"), parameters.ofEngine());
    }
}
