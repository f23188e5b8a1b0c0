package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.SessionSql;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ChannelChangeTest {
    private static final SessionSql SQL = new SessionSql();

    @AfterAll
    static void close() {
        SQL.close();
    }

    private static ChannelChange of(Set<String> channels, String sql) {
        return ChannelChange.of(channels, SQL.statements(sql));
    }

    @Test
    void onlyNewChannelsAreMissing() {
        ChannelChange change = of(Set.of("a"), "LISTEN a; LISTEN b; LISTEN b");
        assertEquals(Set.of("a", "b"), change.wanted());
        assertEquals(List.of("b"), List.copyOf(change.missing()));
    }

    @Test
    void statementsCountInTheirOrder() {
        assertEquals(Set.of("a"), of(Set.of(), "LISTEN b; UNLISTEN b; LISTEN a").wanted());
        assertEquals(Set.of("b"), of(Set.of("a"), "UNLISTEN *; LISTEN b").wanted());
        assertEquals(Set.of(), of(Set.of("a"), "LISTEN b; UNLISTEN *").wanted());
        assertEquals(Set.of("a"), of(Set.of("a"), "UNLISTEN unknown").wanted());
    }

    @Test
    void aChannelThatIsGivenUpAgainIsNotMissing() {
        assertTrue(of(Set.of(), "LISTEN a; UNLISTEN a").missing().isEmpty());
    }

    @Test
    void onlyListenAndUnlistenAreChanges() {
        assertTrue(ChannelChange.isOnly(SQL.statements("LISTEN a; UNLISTEN *; UNLISTEN b")));
        assertFalse(ChannelChange.isOnly(SQL.statements("LISTEN a; SELECT 1")));
        assertFalse(ChannelChange.isOnly(SQL.statements("NOTIFY a")));
        assertFalse(ChannelChange.isOnly(List.of()));
    }

    @Test
    void namesThatTheEngineTruncatesAreLeftToTheEngine() {
        assertTrue(ChannelChange.isOnly(SQL.statements("LISTEN " + "a".repeat(63))));
        assertFalse(ChannelChange.isOnly(SQL.statements("LISTEN " + "a".repeat(64))));
    }
}
