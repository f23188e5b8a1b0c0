package io.multimed.engine.mariadb.relay;

import io.multimed.engine.mariadb.wire.EngineConnection;
import java.io.IOException;

/** Connects to the Master as Multimed itself. Any thread; blocks. */
@FunctionalInterface
public interface MasterAccess {
    EngineConnection connect() throws IOException;
}
