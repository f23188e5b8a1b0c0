package io.multimed.server.master;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.cluster.MasterCluster;
import io.multimed.engine.supervision.SupervisedMaster;
import io.multimed.server.startup.Progress;
import io.multimed.server.startup.StartException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;

/** The Master's PostgreSQL: created or adopted, restarted as often as necessary, stopped with the instance. */
public final class MasterPostgres implements SupervisedMaster {
    /** Longest time for a start. Recovery of a large Master after a crash takes long, and there is no alternative to waiting. */
    private static final Duration START = Duration.ofHours(1);

    /**
     * Longest time for a stop. The last checkpoint may have gigabytes to write. Interrupting it loses no commit, but the next start
     * then has to recover, and empties unlogged tables.
     */
    private static final Duration STOP = Duration.ofHours(1);

    private final MasterCluster cluster;
    private final boolean adopted;
    private final Runnable gone;

    /**
     * Creates the object; starts nothing.
     *
     * @param adopted whether the cluster existed before Multimed
     * @param gone called when connections to it do not answer any more; must not block
     */
    public MasterPostgres(MasterCluster cluster, boolean adopted, Runnable gone) {
        this.cluster = cluster;
        this.adopted = adopted;
        this.gone = gone;
    }

    /** Creates the cluster if it does not exist. */
    public void prepare(Progress progress) throws EngineException, InterruptedException {
        if (!cluster.initialised()) {
            progress.step("making a new database cluster in " + cluster.dataDirectory());
            cluster.initialise();
        } else if (adopted) {
            cluster.changes().forEach(progress::step);
        }
    }

    /** Checks that the superuser exists, since an adopted cluster may have another one. */
    public void requireSuperuser(MasterConnections connections) throws StartException {
        if (!adopted) {
            return;
        }
        try {
            connections.open("postgres").close();
        } catch (SQLException e) {
            throw new StartException(
                    "the PostgreSQL in " + cluster.dataDirectory()
                            + " must have a superuser 'postgres' and a database 'postgres': " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void start(Consumer<String> onCrash) throws EngineException, InterruptedException {
        cluster.start(START, reason -> {
            onCrash.accept(reason);
            gone.run();
        });
    }

    @Override
    public void kill() {
        cluster.kill();
        gone.run();
    }

    @Override
    public boolean frozen() {
        return cluster.frozen();
    }

    /** Stops it in an orderly way; blocks until that is done. */
    public void stop() {
        try {
            cluster.stop(STOP);
        } catch (InterruptedException e) {
            cluster.kill();
            Thread.currentThread().interrupt();
        }
    }
}
