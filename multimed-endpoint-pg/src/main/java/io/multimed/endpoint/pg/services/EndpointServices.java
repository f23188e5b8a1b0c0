package io.multimed.endpoint.pg.services;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.counters.AdminTable;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Services that the endpoint requires of the rest of Multimed.
 *
 * @param nodes Master and Satellites
 * @param log the floor
 * @param visibility the commits that the Master shows
 * @param gate wakes waiting readers
 * @param floorHistory for reads that accept a lag
 * @param placer places one read: {@code Dispatcher::place}
 * @param addresses the engines' listening addresses
 * @param processes of engines on this machine
 * @param classifier classifies the effects of statements
 * @param schemas catalogs of the databases
 * @param snapshots of the Master
 * @param roles looks up roles of the Master
 * @param nodeTable result of {@code SHOW NODES}; called on event loops, must not block
 * @param operations on the instance as a whole
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
        Supplier<AdminTable> nodeTable,
        Operations operations) {

    /** Returns the state of the nodes and of the log that decides on admissions. */
    public AdmissionSources admissionSources() {
        return new AdmissionSources(nodes, log, floorHistory, visibility, placer);
    }

    /** Listening addresses of the engines. Called on event loops; must not block. */
    @FunctionalInterface
    public interface Addresses {
        /** @return the path of the node's Unix-domain socket */
        String socketPath(ComputationalNode node);
    }

    /** Catalogs of the databases. Called on event loops; must not block. */
    public interface Schemas {
        /** Returns the present knowledge of the database's catalog; {@link DatabaseCatalog#UNKNOWN} while it is being read. */
        DatabaseCatalog catalog(String database);

        /**
         * Returns the version of the database's schema. As long as it is the same, an engine's analysis of the same text has the
         * same result, in a session without objects of its own. It changes before a commit that changes the schema is acknowledged.
         */
        long version(String database);

        /**
         * Returns the parameters with a qualified name that functions of the database set ({@link DatabaseCatalog#parametersSet});
         * empty if not known now.
         */
        default Optional<Set<String>> parametersSet(String database) {
            return catalog(database).parametersSet();
        }

        /** Returns the number of the last change of any database's schema. It changes before the commit is acknowledged. */
        long lastChange();

        /** Whether the database's schema may have changed after the change of this number, apart from temporary objects. */
        boolean hasChangedSince(String database, long change);

        /**
         * Runs an action when a database whose catalog is unknown may have become known; on any thread, perhaps at once. A waiting
         * session must nevertheless check from time to time.
         */
        default void whenKnown(String database, Runnable then) {}

        /**
         * Whether the Master's sessions see every commit that has changed the version of the database's schema. The Master makes
         * such a commit visible a moment after the version has changed.
         */
        boolean isVersionVisible(String database);

        /**
         * Returns the state of roles and databases for sessions that begin now. It changes before a commit that changes them is
         * acknowledged.
         */
        SharedCatalogs sharedCatalogs();
    }

    /** Snapshots of the Master, for transactions that must not begin there before it shows enough; and the end of its log. */
    public interface Snapshots {
        /**
         * Takes a snapshot, on a separate thread and connection.
         *
         * @param done called, on any thread, when the snapshot's contents are in {@code visibility}, or when the Master could
         *     not be asked
         */
        void take(Runnable done);

        /**
         * Returns a query by which an engine session of the Master returns a snapshot, as one row with one text. Null if there is
         * only {@link #take}.
         */
        default @Nullable String query() {
            return null;
        }

        /** Passes a result of {@link #query} to {@code visibility}. Called on event loops. */
        default void taken(String snapshot) {}

        /**
         * Starts asking the Master for the end of its log, repeated until it answers, since there is a doubt in {@code log}.
         * Thread-safe; must not block.
         */
        default void endDoubts() {}
    }

    /** Roles of the Master. */
    @FunctionalInterface
    public interface Roles {
        /**
         * Looks a role up, without blocking.
         *
         * @param found receives the role, on any thread; null if there is none or the Master could not be asked
         */
        void find(String name, Consumer<@Nullable Role> found);

        /** Returns the activity of the roles' sessions on all nodes. */
        default EngineSessions sessions() {
            return EngineSessions.UNKNOWN;
        }
    }

    /**
     * A role in the Master's catalog.
     *
     * @param verifier {@code SCRAM-SHA-256$...}; null if it has no password or one of another kind
     * @param expired whether its password's validity has passed
     * @param groups the roles that it is a member of, directly or not; not itself
     */
    public record Role(
            String name,
            boolean canLogin,
            boolean superuser,
            @Nullable String verifier,
            boolean expired,
            Set<String> groups) {
        public Role {
            groups = Set.copyOf(groups);
        }

        /** Returns a role that is a member of no other. */
        public static Role alone(
                String name, boolean canLogin, boolean superuser, @Nullable String verifier, boolean expired) {
            return new Role(name, canLogin, superuser, verifier, expired, Set.of());
        }
    }
}
