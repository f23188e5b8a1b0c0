package io.multimed.endpoint.pg.session.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.SessionSql;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class BlockSettingsTest {
    private static final SessionSql SQL = new SessionSql();

    private final BlockSettings settings = new BlockSettings();

    @AfterAll
    static void close() {
        SQL.close();
    }

    private void set(String sql) {
        settings.set((Statement.Set) SQL.statements(sql).getFirst());
    }

    @Test
    void aValueDiffersFromTheDefault() {
        set("SET work_mem = '1MB'");
        set("SET enable_seqscan TO DEFAULT");
        assertEquals(true, settings.sets("work_mem"));
        assertEquals(false, settings.sets("enable_seqscan"));
        assertNull(settings.sets("enable_hashjoin"));
        assertEquals(Set.of("work_mem", "enable_seqscan"), settings.names());
    }

    @Test
    void aChainedBlockHasSetNothingItselfButMayStillLeaveSomething() {
        set("SET work_mem = '1MB'");
        settings.end(true);
        settings.chain();
        assertEquals(Set.of(), settings.names());
        assertTrue(settings.areChanged());
        settings.begin();
        assertFalse(settings.areChanged());
    }

    @Test
    void anotherStatementsEffectCountsAsAChange() {
        settings.executed(SessionEffect.NONE);
        assertFalse(settings.areChanged());
        settings.executed(SessionEffect.OPAQUE);
        assertTrue(settings.areChanged());
    }

    @Test
    void committedSettingsAreLeftOnceTheClientKnows() {
        set("SET work_mem = '1MB'");
        settings.end(true);
        assertEquals(Map.of(), settings.left());
        settings.answered();
        assertEquals(Map.of("work_mem", "1MB"), settings.left());
        settings.leftNothing();
        assertEquals(Map.of(), settings.left());
    }

    @Test
    void rolledBackSettingsAreNotLeft() {
        set("SET work_mem = '1MB'");
        settings.end(false);
        settings.answered();
        assertEquals(Map.of(), settings.left());
    }

    @Test
    void onlyTheEngineKnowsWhatIsLeftAfterARollbackToASavepoint() {
        set("SET work_mem = '1MB'");
        settings.rollBackTo();
        settings.end(true);
        settings.answered();
        assertNull(settings.left());
    }
}
