package io.multimed.endpoint.pg.services;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.dispatch.Placer;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.pg.backend.EngineProcesses;
import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.StatementClassifier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint needs of the rest of Multimed.
 *
 * @param nodes Master and Satellites
 * @param log the floor
 * @param visibility what the Master shows
 * @param gate wakes waiting readers
 * @param floorHistory for reads that accept a lag
 * @param placer places one read: {@code Dispatcher::place}
 * @param addresses where engines listen
 * @param processes of engines on this machine
 * @param classifier what statements may do
 * @param schemas what databases hold
 * @param snapshots of the Master
 * @param roles looks up roles of the Master
 * @param nodeTable what {@code SHOW NODES} answers; asked on event loops, must not block
 */
public record EndpointServices(
        Nodes nodes,
        MasterLog log,
        MasterVisibility visibility,
        FreshnessGate gate,
        FloorHistory floorHistory,
        Placer placer,
        Addresses addresses,
        EngineProcesses processes,
        StatementClassifier classifier,
        Schemas schemas,
        Snapshots snapshots,
        Roles roles,
        Supplier<AdminTable> nodeTable) {

    /** State of the nodes and of the log, by which transactions are admitted. */
    public AdmissionSources admissionSources() {
        return new AdmissionSources(nodes, log, floorHistory, visibility, placer);
    }

    /** Where engines listen. Called on event loops; must not block. */
    @FunctionalInterface
    public interface Addresses {
        /** @return the path of the node's Unix-domain socket */
        String socketPath(ComputationalNode node);
    }

    /** What databases hold. Called on event loops; must not block. */
    public interface Schemas {
        /** What is known of the database now; {@link DatabaseCatalog#UNKNOWN} while it is being read. */
        DatabaseCatalog catalog(String database);

        /**
         * The version of the database's schema. As long as it is the same, an engine analyses the same text to the same
         * thing, in a session without objects of its own. It changes before a commit that changes the schema is acknowledged.
         */
        long version(String database);

        /**
         * Does something when a database whose catalog is unknown may have become known; from any thread, perhaps at once.
         * A session that waits must look again now and then all the same.
         */
        default void whenKnown(String database, Runnable then) {}

        /**
         * Whether the Master's sessions see every commit that has changed the version of the database's schema. The Master makes
         * such a commit visible a moment after the version has changed.
         */
        boolean isVersionVisible(String database);

        /** Roles and databases for sessions that begin now: another before a commit that changes them is acknowledged. */
        SharedCatalogs sharedCatalogs();
    }

    /** Of the Master: what it shows, for whoever must not begin there before it shows enough; and where its log ends. */
    public interface Snapshots {
        /**
         * Has one taken, by a thread and on a connection of its own.
         *
         * @param done called, from any thread, when what it shows is in {@code visibility}, or when the Master could not be
         *     asked
         */
        void take(Runnable done);

        /** What an engine session of the Master answers with one: a row with one text. Null: there is only {@link #take}. */
        default @Nullable String query() {
            return null;
        }

        /** Brings what {@link #query} was answered with to {@code visibility}. Called on event loops. */
        default void taken(String snapshot) {}

        /**
         * Has it asked where its log ends, until it says so, since there is a doubt in {@code log}. Any thread; must not
         * block.
         */
        default void endDoubts() {}
    }

    /** Roles of the Master. */
    @FunctionalInterface
    public interface Roles {
        /**
         * Looks a role up, without blocking.
         *
         * @param found is given the role, or null when there is none or the Master could not be asked; from any thread
         */
        void find(String name, Consumer<@Nullable Role> found);

        /** Activity of the roles' sessions on all nodes. */
        default EngineSessions sessions() {
            return EngineSessions.UNKNOWN;
        }
    }

    /**
     * A role as the Master's catalog holds it.
     *
     * @param verifier {@code SCRAM-SHA-256$...}, null when it has no password or another kind
     * @param expired its password's validity has passed
     */
    public record Role(
            String name,
            boolean canLogin,
            boolean superuser,
            @Nullable String verifier,
            boolean expired) {}
}
