package io.multimed.endpoint.pg.services;

import io.multimed.core.counters.AdminTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The instance as a whole, for commands of the admin database. Thread-safe; must not block. Results arrive on any thread. */
public interface Operations {
    /** An endpoint without an instance around it. */
    Operations NONE = new Operations() {
        @Override
        public CompletableFuture<Optional<Set<String>>> databases() {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public String version() {
            return "";
        }

        @Override
        public AdminTable configuration() {
            return new AdminTable(List.of("key", "value", "default", "changeable"), List.of());
        }

        @Override
        public CompletableFuture<ReloadResult> reload() {
            return CompletableFuture.completedFuture(new ReloadResult(List.of(), List.of()));
        }

        @Override
        public void end() {}
    };

    /**
     * The result of reading the configuration again.
     *
     * @param problems why it was refused as a whole; none if it was not
     * @param lines what has changed and what has not
     */
    record ReloadResult(List<String> problems, List<String> lines) {}

    /** Returns the names of the Master's databases; empty if the Master could not be asked. */
    CompletableFuture<Optional<Set<String>>> databases();

    /** Returns the version of Multimed. */
    String version();

    /** Returns the configuration in effect, a row for each key: the key, its value, the default, and whether a reload changes it. */
    AdminTable configuration();

    /** Reads the configuration again. */
    CompletableFuture<ReloadResult> reload();

    /** Begins to end the instance. Its clients are disconnected at once. */
    void end();
}
