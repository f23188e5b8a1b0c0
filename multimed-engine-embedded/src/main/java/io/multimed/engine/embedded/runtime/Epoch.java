package io.multimed.engine.embedded.runtime;

import io.multimed.core.writeset.UpdateGate;
import io.multimed.engine.embedded.spi.MasterEngine;

/**
 * The time of one Master. Transactions belong to the epoch in which they began; none of an epoch that has ended commits.
 *
 * @param master the engine
 * @param gate through which its update transactions go
 */
record Epoch(MasterEngine master, UpdateGate gate) {
    Epoch(MasterEngine master) {
        this(master, new UpdateGate());
    }
}
