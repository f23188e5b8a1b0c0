package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.multimed.protocol.pg.ErrorFields;
import io.multimed.sql.Statement;
import org.junit.jupiter.api.Test;

/** Statements that Multimed refuses although an engine would execute them. */
class RefusalsTest {
    @Test
    void tablespaceIsRefusedWhereSatellitesWouldUseItsDirectory() {
        ErrorFields refusal = Refusals.of(new Statement.CreateTablespace(), false);
        assertNotNull(refusal);
        assertEquals("0A000", refusal.sqlState());
        assertNull(Refusals.of(new Statement.CreateTablespace(), true));
    }

    @Test
    void valueThatMeansNothingToMultimedIsRefused() {
        ErrorFields refusal = Refusals.of(new Statement.Set("multimed.freshness", "fresh", "'fresh'", false), true);
        assertNotNull(refusal);
        assertEquals("22023", refusal.sqlState());
        assertNull(Refusals.of(new Statement.Set("work_mem", "1MB", "'1MB'", false), true));
    }
}
