package io.multimed.endpoint.pg.client;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.ReplicationConnection;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.SessionActivity;
import io.multimed.endpoint.pg.session.loop.SessionReport;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;

/**
 * The session of a replication client, as {@code pg_basebackup} and {@code pg_receivewal} are, and subscribers to publications: bytes pass in
 * both directions between the client and its connection to the Master, and nobody looks at them. Only the ends of the engine's messages
 * are found, because an error may stand between two messages only.
 */
final class ReplicationSession implements ClientSession, ReplicationConnection.User {
    private final ClientConnection client;
    private final ReplicationConnection engine;
    private final PoolKey key;
    private final String applicationName;
    private final ComputationalNode master;
    private final MessageBoundaries boundaries = new MessageBoundaries();
    private boolean ended;

    ReplicationSession(ClientConnection client, ReplicationConnection engine, PoolKey key, String applicationName) {
        this.client = client;
        this.engine = engine;
        this.key = key;
        this.applicationName = applicationName;
        master = client.loop().nodes().master();
    }

    @Override
    public PoolKey key() {
        return key;
    }

    // --- client to engine

    @Override
    public void process() {
        if (ended) {
            return;
        }
        ByteBuf in = client.input();
        if (in.isReadable() && engine.isWritable()) {
            engine.write(in.readRetainedSlice(in.readableBytes()));
        }
        client.reading(engine.isWritable());
    }

    @Override
    public void writable() {
        process();
    }

    // --- engine to client

    @Override
    public void received(ByteBuf bytes) {
        boundaries.pass(bytes);
        client.write(bytes);
        engine.reading(client.isWritable());
    }

    @Override
    public void clientWritable() {
        if (!ended) {
            engine.reading(true);
        }
    }

    @Override
    public void closed() {
        if (!ended) {
            end();
            client.close();
        }
    }

    // --- ends

    @Override
    public void cancel() {
        engine.cancel();
    }

    @Override
    public void terminate() {
        if (ended) {
            return;
        }
        end();
        if (boundaries.isBetweenMessages()) {
            client.fail(
                    ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "terminating connection due to administrator command"));
        } else {
            client.close();
        }
    }

    @Override
    public void shutDown() {
        terminate();
    }

    @Override
    public void end() {
        ended = true;
        engine.close();
    }

    // --- reports

    @Override
    public boolean isAmidBlock() {
        // A stream of log has no end of its own for which a shutdown could wait.
        return false;
    }

    @Override
    public long heldBytes() {
        return 0;
    }

    @Override
    public SessionReport report() {
        return new SessionReport() {
            @Override
            public String state() {
                return "replication";
            }

            @Override
            public String route() {
                return master.id() + ": replication";
            }

            @Override
            public String shape() {
                return "";
            }

            @Override
            public String boundTo() {
                return master.id().name();
            }

            @Override
            public SessionActivity activity() {
                return new SessionActivity("active", applicationName, master, engine.processId());
            }
        };
    }
}
