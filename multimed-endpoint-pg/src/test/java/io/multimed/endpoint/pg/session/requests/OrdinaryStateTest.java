package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OrdinaryStateTest {
    private final OrdinaryState state = new OrdinaryState();
    private boolean idle = true;
    private int asked;

    OrdinaryStateTest() {
        state.requires(() -> {
            asked++;
            return idle;
        });
    }

    @Test
    void asksNobodyAgainUntilSomethingElseHappens() {
        assertFalse(state.lasts());
        assertTrue(state.holds());
        assertTrue(state.holds());
        assertTrue(state.lasts());
        assertEquals(1, asked);
        state.ends();
        assertFalse(state.lasts());
        assertTrue(state.holds());
        assertEquals(2, asked);
    }

    @Test
    void doesNotHoldWhileAFeatureIsInUse() {
        idle = false;
        assertFalse(state.holds());
        assertFalse(state.lasts());
        idle = true;
        assertTrue(state.holds());
    }

    @Test
    void isNotConfirmedIfAPlainReadHasLeftSomethingBehind() {
        assertTrue(state.isConfirmed());
        state.holds();
        assertTrue(state.isConfirmed());
        idle = false;
        assertFalse(state.isConfirmed());
        state.ends();
        assertTrue(state.isConfirmed());
    }
}
