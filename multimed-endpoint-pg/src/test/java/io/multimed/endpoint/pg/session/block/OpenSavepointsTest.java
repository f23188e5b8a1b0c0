package io.multimed.endpoint.pg.session.block;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OpenSavepointsTest {
    private final OpenSavepoints savepoints = new OpenSavepoints();

    @Test
    void releaseEndsTheSavepointAndThoseBehindIt() {
        savepoints.add("a");
        savepoints.add("b");
        savepoints.release("a");
        assertTrue(savepoints.isEmpty());
    }

    @Test
    void rollbackToASavepointKeepsIt() {
        savepoints.add("a");
        savepoints.add("b");
        savepoints.rollBackTo("a");
        savepoints.release("b");
        assertFalse(savepoints.isEmpty());
        savepoints.release("a");
        assertTrue(savepoints.isEmpty());
    }

    @Test
    void theLatestOfSeveralWithOneNameIsMeant() {
        savepoints.add("a");
        savepoints.add("a");
        savepoints.release("a");
        assertFalse(savepoints.isEmpty());
    }

    @Test
    void anUnknownNameEndsNone() {
        savepoints.add("a");
        savepoints.release("b");
        savepoints.rollBackTo("b");
        assertFalse(savepoints.isEmpty());
    }

    @Test
    void onlyExistingOnesAreLostWithTheEngine() {
        savepoints.lose();
        assertFalse(savepoints.areLost());
        savepoints.add("a");
        savepoints.lose();
        assertTrue(savepoints.areLost());
        assertTrue(savepoints.isEmpty());
        savepoints.lose();
        assertTrue(savepoints.areLost());
        savepoints.clear();
        assertFalse(savepoints.areLost());
    }
}
