package io.multimed.mariadb.cli.config;

import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ConfigurationKeys;
import io.multimed.server.config.Reloaded;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration in effect, and its exchange for that of the file, which is read again. Thread-safe. */
public final class MariaDbReloading {
    private static final Logger LOG = LoggerFactory.getLogger(MariaDbReloading.class);

    /** Reads the configuration. */
    @FunctionalInterface
    public interface Source {
        MariaDbConfiguration read() throws ConfigurationException;
    }

    private final Source source;
    private final Supplier<Reloaded> files;
    private final Consumer<MariaDbConfiguration> apply;
    private MariaDbConfiguration running;

    /**
     * @param files reads other files again, such as certificates, once the configuration has no mistake
     * @param apply has the running instance take over what it can
     */
    public MariaDbReloading(
            MariaDbConfiguration running,
            Source source,
            Supplier<Reloaded> files,
            Consumer<MariaDbConfiguration> apply) {
        this.running = running;
        this.source = source;
        this.files = files;
        this.apply = apply;
    }

    /** Reads the configuration again and applies what can be applied now. If it has a mistake, nothing changes. */
    public synchronized Reloaded reload() {
        Reloaded result;
        try {
            MariaDbConfiguration wanted = source.read();
            Reloaded otherFiles = files.get();
            result = otherFiles.problems().isEmpty() ? apply(wanted, otherFiles.changed()) : otherFiles;
        } catch (ConfigurationException mistakes) {
            result = Reloaded.refused(mistakes.problems());
        }
        result.problems().forEach(problem -> LOG.warn("Not reloaded: {}", problem));
        result.lines().forEach(line -> LOG.info("Reloaded: {}", line));
        return result;
    }

    private Reloaded apply(MariaDbConfiguration wanted, List<String> otherChanges) {
        MariaDbConfiguration before = running;
        MariaDbConfiguration now = before.changedTo(wanted);
        apply.accept(now);
        running = now;
        List<String> changed = new ArrayList<>(changes(before, now));
        changed.addAll(otherChanges);
        return new Reloaded(List.of(), changed, changes(now, wanted));
    }

    private static List<String> changes(MariaDbConfiguration before, MariaDbConfiguration after) {
        return ConfigurationKeys.changes(before.keys(), after.keys()).stream()
                .map(ConfigurationKeys.Change::toString)
                .toList();
    }
}
