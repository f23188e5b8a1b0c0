package io.multimed.engine.embedded.runtime;

import io.multimed.core.writeset.UpdateGate;
import io.multimed.core.writeset.UpdateTurns;
import io.multimed.engine.embedded.spi.MasterEngine;

/**
 * The time of one Master. Transactions belong to the epoch in which they began, and cannot commit after it has ended.
 *
 * @param master the engine
 * @param gate the gate through which its update transactions go
 * @param turns the turns of its update transactions, if the engine requires that they run one at a time
 */
record Epoch(MasterEngine master, UpdateGate gate, UpdateTurns turns) {
    Epoch(MasterEngine master) {
        this(master, new UpdateGate(), new UpdateTurns());
    }
}
