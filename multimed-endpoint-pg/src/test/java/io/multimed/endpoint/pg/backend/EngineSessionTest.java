package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EngineSessionTest {
    private static final int ONE = 1;
    private static final int OTHER = 2;

    private final EngineSession session = new EngineSession(10);

    @Test
    void settingsAreUnknownOnceToAnotherClientThanTheOneWhoseCodeMayHaveSetSome() {
        session.serve(ONE);
        session.codeHasRun();
        assertFalse(session.mayBeSetForOthersThan(ONE));
        assertTrue(session.mayBeSetForOthersThan(OTHER));
        session.serve(ONE);
        assertEquals(BackendSettings.NONE, session.takeSettings());

        session.serve(OTHER);
        assertTrue(session.mayBeSetForOthersThan(OTHER));
        assertEquals(BackendSettings.UNKNOWN, session.takeSettings());
        assertEquals(BackendSettings.NONE, session.takeSettings());
        assertFalse(session.mayBeSetForOthersThan(ONE));
    }

    @Test
    void sequencesAreOthersAsSoonAsASecondClientIsServed() {
        session.serve(ONE);
        session.serve(ONE);
        assertFalse(session.hasSequencesOfOthers());
        session.serve(OTHER);
        assertTrue(session.hasSequencesOfOthers());
        session.sequencesAreOwn();
        session.serve(OTHER);
        assertFalse(session.hasSequencesOfOthers());
        session.serve(ONE);
        assertTrue(session.hasSequencesOfOthers());
    }

    @Test
    void speaksUtf8UnlessTheEncodingIsAnotherOrUnknown() {
        assertTrue(session.speaksUtf8());
        session.settings = BackendSettings.UNKNOWN;
        assertFalse(session.speaksUtf8());
    }
}
