package io.multimed.engine.embedded.runtime;

import io.multimed.core.writeset.UpdateGate;
import io.multimed.core.writeset.UpdateTurns;
import io.multimed.engine.embedded.spi.MasterEngine;

/**
 * The time of one Master. Transactions belong to the epoch in which they began; none of an epoch that has ended commits.
 *
 * @param master the engine
 * @param gate through which its update transactions go
 * @param turns which they take, if the engine must have one at a time
 */
record Epoch(MasterEngine master, UpdateGate gate, UpdateTurns turns) {
    Epoch(MasterEngine master) {
        this(master, new UpdateGate(), new UpdateTurns());
    }
}
