package io.multimed.server;

import io.multimed.core.counters.AdminTable;
import io.multimed.core.spi.EngineException;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.StatementTraces;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ConfigurationKeys;
import io.multimed.server.config.ConfigurationReader;
import io.multimed.server.config.Reloaded;
import io.multimed.server.startup.StartException;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.StatementClassifier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration in effect, and its exchange for that of the file, which is read again. Thread-safe; a reload blocks until it is
 * done.
 */
final class Reloading {
    private static final Logger log = LoggerFactory.getLogger(Reloading.class);
    private static final long PATIENCE_SECONDS = 30;

    private final StartupPlan startup;
    private final Engines engines;
    private final @Nullable StatementTraces traces;
    private final StatementClassifier classifier;
    private final Supplier<@Nullable PostgresEndpoint> endpoint;
    private volatile Configuration running;
    /** Generation of the routing rules. */
    private int generation;
    /** Hashes of the contents of the files for TLS. */
    private List<Integer> certificate;

    /**
     * @param traces receives traced statements; null if nobody does
     * @param endpoint the running endpoint; null if it is not open
     */
    Reloading(
            StartupPlan startup,
            Engines engines,
            StatementClassifier classifier,
            @Nullable StatementTraces traces,
            Supplier<@Nullable PostgresEndpoint> endpoint) {
        this.startup = startup;
        this.engines = engines;
        this.classifier = classifier;
        this.traces = traces;
        this.endpoint = endpoint;
        running = startup.configuration();
        certificate = certificate(running);
    }

    /**
     * Returns the options of a classifier for a configuration.
     *
     * @param hints whether sessions look for rules and hints
     * @param generation of the routing rules
     */
    static ClassifierOptions classifierOptions(Configuration configuration, boolean hints, int generation) {
        return ClassifierOptions.DEFAULT
                .withSafeFunctions(configuration.reads().safeFunctions())
                .withRules(configuration.statementRules(hints, generation));
    }

    /** Returns the endpoint's options for the configuration in effect, before any reload. */
    EndpointOptions options() throws StartException {
        try {
            return options(running, 0);
        } catch (IOException e) {
            throw new StartException("endpoint.listen: " + e.getMessage(), e);
        }
    }

    private EndpointOptions options(Configuration configuration, int rules) throws IOException, StartException {
        return EndpointWiring.options(configuration, startup.model(), engines, rules, traces);
    }

    /** Returns the configuration in effect. */
    Configuration running() {
        return running;
    }

    /** Returns the configuration in effect, a row for each key. */
    AdminTable table() {
        List<List<Object>> rows = new ArrayList<>();
        ConfigurationKeys.of(running)
                .forEach((key, value) -> rows.add(List.of(
                        key,
                        value,
                        ConfigurationKeys.standard(key).orElse(""),
                        ConfigurationKeys.isChangeable(key) ? "yes" : "no")));
        return new AdminTable(List.of("key", "value", "default", "changeable"), rows);
    }

    /** Reads the configuration again and applies what can be applied now. If it has a mistake, nothing changes. */
    synchronized Reloaded reload() throws InterruptedException {
        Reloaded result;
        try {
            result = apply(wanted());
        } catch (ConfigurationException mistakes) {
            result = Reloaded.refused(mistakes.problems());
        } catch (StartException | EngineException | IOException mistake) {
            result = Reloaded.refused(List.of(String.valueOf(mistake.getMessage())));
        }
        result.problems().forEach(problem -> log.warn("Not reloaded: {}", problem));
        result.lines().forEach(line -> log.info("Reloaded: {}", line));
        return result;
    }

    /** Reads and checks the configuration as a start would, but for what only the running instance occupies. */
    private Configuration wanted()
            throws ConfigurationException, StartException, EngineException, InterruptedException {
        Configuration wanted = StartupPlan.configuration(startup.options(), startup.home());
        ConfigurationReader.requireNodes(wanted, names(StartupPlan.plan(wanted)));
        if (!wanted.nodes().equals(running.nodes())
                || !wanted.satellites().settings().equals(running.satellites().settings())) {
            StartupPlan.requireSettings(wanted, startup.binaries());
        }
        EndpointWiring.tls(wanted.endpoint());
        return wanted;
    }

    private static Set<String> names(SystemModel model) {
        return model.satellites().stream().map(node -> node.id().name()).collect(Collectors.toSet());
    }

    private Reloaded apply(Configuration wanted) throws StartException, IOException, InterruptedException {
        Configuration before = running;
        Configuration now = before.changedTo(
                wanted,
                // With another address, other clients would need authentication and encryption.
                wanted.endpoint().listen().equals(before.endpoint().listen()),
                mayRoute(wanted),
                engines.admit(wanted.pools()));
        boolean otherRules = !now.routes().equals(before.routes());
        int rules = generation + (otherRules ? 1 : 0);
        List<Integer> files = certificate(now);
        EndpointOptions options = options(now, rules);
        PostgresEndpoint open = endpoint.get();
        if (open != null) {
            // The event loops know the rules before any statement is classified for them.
            await(open, options);
        }
        if (otherRules || !now.reads().safeFunctions().equals(before.reads().safeFunctions())) {
            classifier.reconfigure(
                    classifierOptions(now, startup.configuration().steersReads(), rules));
        }
        generation = rules;
        running = now;
        List<String> changed = texts(ConfigurationKeys.changes(before, now));
        if (haveOtherRules(before.endpoint(), now.endpoint())) {
            changed.add("endpoint.hba_file: the rules have changed");
        }
        if (!files.equals(certificate)
                && now.endpoint().tls().equals(before.endpoint().tls())) {
            changed.add("endpoint.tls: the files have other contents");
        }
        certificate = files;
        return new Reloaded(List.of(), changed, texts(ConfigurationKeys.changes(now, wanted)));
    }

    private static void await(PostgresEndpoint open, EndpointOptions options)
            throws StartException, InterruptedException {
        try {
            open.reconfigure(options).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new StartException("the endpoint does not take the configuration over: " + e, e);
        }
    }

    private static List<String> texts(List<ConfigurationKeys.Change> changes) {
        return new ArrayList<>(
                changes.stream().map(ConfigurationKeys.Change::toString).toList());
    }

    /**
     * Whether the running nodes can obey the rules. Where there were neither rules nor partial Satellites at the start, sessions do not
     * look for rules.
     */
    private boolean mayRoute(Configuration wanted) {
        if (!startup.configuration().steersReads()) {
            return wanted.routes().isEmpty();
        }
        Set<String> nodes = names(startup.model());
        nodes.addAll(Set.of("master", "satellites"));
        return wanted.partial().equals(startup.configuration().partial())
                && wanted.routes().stream().allMatch(rule -> nodes.contains(rule.to()));
    }

    /** Whether the same files of rules have other contents. */
    private static boolean haveOtherRules(Configuration.Endpoint before, Configuration.Endpoint now) {
        Optional<Configuration.Access> old = before.access();
        Optional<Configuration.Access> other = now.access();
        return old.isPresent()
                && other.isPresent()
                && old.get().file().equals(other.get().file())
                && old.get().maps().equals(other.get().maps())
                && !old.get().rules().equalsInText(other.get().rules());
    }

    private static List<Integer> certificate(Configuration configuration) {
        return configuration.endpoint().tls().map(tls -> tls.files().contents()).orElse(List.of());
    }
}
