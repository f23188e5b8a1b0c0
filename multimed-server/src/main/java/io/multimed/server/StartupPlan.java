package io.multimed.server;

import io.multimed.core.node.NodeContents;
import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileProblem;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.MasterCluster;
import io.multimed.engine.postgresql.cluster.SettingCheck;
import io.multimed.engine.postgresql.indexes.MovedIndex;
import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.engine.postgresql.writeset.MasterWriteSets;
import io.multimed.engine.process.EngineUser;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ConfigurationReader;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.config.SystemModelToml;
import io.multimed.server.home.Home;
import io.multimed.server.home.HomeLock;
import io.multimed.server.lean.MovedIndexFile;
import io.multimed.server.os.LinuxTopologyReader;
import io.multimed.server.startup.Progress;
import io.multimed.server.startup.StartException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is decided and checked before an engine is started. An error until then leaves nothing behind.
 *
 * @param options of the command {@code up}
 * @param created whether the home's directory was created by this start
 * @param leftSlots whether an earlier run has left slots for write sets in the Master
 * @param movedIndexes indexes that partial Satellites have instead of the Master
 */
record StartupPlan(
        StartOptions options,
        Configuration configuration,
        SystemModel model,
        Home home,
        HomeLock lock,
        boolean created,
        EngineUser user,
        EngineBinaries binaries,
        boolean leftSlots,
        boolean leftTriggers,
        MovedIndexFile movedIndexes) {

    static StartupPlan of(StartOptions options)
            throws ConfigurationException, StartException, EngineException, InterruptedException {
        Home home = Home.of(options.directory());
        Configuration configuration = configuration(options, home);
        SystemModel model = plan(configuration);
        model.notes().forEach(note -> options.progress().step(note));
        ConfigurationReader.requireNodes(
                configuration,
                model.satellites().stream().map(node -> node.id().name()).collect(Collectors.toSet()));
        unreached(configuration)
                .forEach(name -> options.progress()
                        .step("satellites." + name
                                + " serves what rules send there, and no rule does: only reads with a hint reach it"));
        configuration.partial().stream()
                .findFirst()
                .ifPresent(partial -> options.progress()
                        .step(
                                configuration.satellites().capture() == CaptureKind.LOG
                                        ? "wal_level of the master is logical: satellites." + partial.id()
                                                + " needs its write sets"
                                        : "tables get triggers of Multimed's: satellites." + partial.id()
                                                + " needs their changes"));
        home.check();
        EngineUser user = home.adopted() ? EngineUser.owning(home.data()) : EngineUser.choose("postgres");
        user.requireReach("the directory", home.directory());
        boolean created = !Files.exists(home.directory());
        // The lock is taken first: that an instance already runs here is the better explanation for a port in use.
        HomeLock lock = created ? null : HomeLock.take(home.lockFile());
        try {
            requireFree("endpoint.listen", configuration.endpoint().listen());
            requireMemoryDirectory(configuration);
            EndpointWiring.tls(configuration.endpoint());
            EngineBinaries binaries = binaries(configuration, options.progress());
            requireSettings(configuration, binaries);
            if (home.adopted() || Files.exists(home.data().resolve("PG_VERSION"))) {
                MasterCluster.requireUsable(home.data(), binaries);
            }
            if (lock == null) {
                create(home.directory(), user);
                lock = HomeLock.take(home.lockFile());
            }
            createWithin(home);
            MovedIndexFile movedIndexes = movedIndexes(home, configuration, options.progress());
            Files.writeString(home.systemModel(), SystemModelToml.of(model));
            options.logTo().open(home.log(), configuration.log().format());
            if (user.switched()) {
                options.progress().step("running as root: the engines run as the user '" + user.name() + "'");
            }
            return new StartupPlan(
                    options,
                    configuration,
                    model,
                    home,
                    lock,
                    created,
                    user,
                    binaries,
                    leftSlots(home.data()),
                    leftTriggers(home.data()),
                    movedIndexes);
        } catch (IOException e) {
            leave(home, lock, created);
            throw new StartException("cannot write to " + home.directory() + ": " + FileProblem.of(e), e);
        } catch (StartException | EngineException | InterruptedException | RuntimeException e) {
            leave(home, lock, created);
            throw e;
        }
    }

    /**
     * Whether the Master's log is decoded, for which it must be of level {@code logical}. It must be too while slots of an earlier run
     * are left: PostgreSQL does not start otherwise.
     */
    boolean decodes() {
        return (!configuration.partial().isEmpty() && configuration.satellites().capture() == CaptureKind.LOG)
                || leftSlots;
    }

    /** Whether the Master keeps its log for partial Satellites, or may have to: for slots and senders of log beside the relay's. */
    boolean keepsLog() {
        return !configuration.partial().isEmpty() || leftSlots || leftTriggers;
    }

    private static MovedIndexFile movedIndexes(Home home, Configuration configuration, Progress progress)
            throws IOException {
        MovedIndexFile file = MovedIndexFile.read(home.movedIndexes());
        if (configuration.partial().isEmpty() && !file.indexes().isEmpty()) {
            progress.step("no partial satellite is configured, so nobody has the indexes that were moved: "
                    + file.indexes().stream().map(MovedIndex::toString).collect(Collectors.joining(", "))
                    + "; multimed lean --undo makes them on the master again");
        }
        return file;
    }

    private static boolean leftSlots(Path data) throws IOException {
        return Files.isDirectory(data.resolve("pg_replslot")) && MasterWriteSets.hasLeftSlots(data);
    }

    private static boolean leftTriggers(Path data) throws IOException {
        return Files.isDirectory(data.resolve("pg_replslot")) && MasterWriteSets.hasLeftTriggers(data);
    }

    /** Restores the state before the start: the next start would refuse an incomplete directory. */
    private static void leave(Home home, @Nullable HomeLock lock, boolean created) {
        if (lock == null) {
            return;
        }
        try (lock) {
            // This happens under the lock, so the directory does not belong to another instance that was faster.
            if (created) {
                deleteTree(home.directory());
            }
        }
    }

    /** Reads the configuration that the options name. */
    static Configuration configuration(StartOptions options, Home home) throws ConfigurationException {
        if (options.config().isPresent()) {
            return ConfigurationReader.read(options.config().get(), options.overrides());
        }
        // A dangling link is a mistake, and no reason to run with the defaults.
        return Files.exists(home.configuration(), LinkOption.NOFOLLOW_LINKS)
                ? ConfigurationReader.read(home.configuration(), options.overrides())
                : ConfigurationReader.defaults(options.overrides());
    }

    /** Returns the Satellites that take nothing but what rules send there, if no rule does. */
    private static List<String> unreached(Configuration configuration) {
        return configuration.partial().stream()
                .filter(satellite -> satellite.serves() == NodeContents.Takes.RULES)
                .map(satellite -> satellite.id().name())
                .filter(name -> configuration.routes().stream()
                        .noneMatch(rule -> rule.to().equals(name)))
                .toList();
    }

    /** Plans the nodes for a configuration on this machine. */
    static SystemModel plan(Configuration configuration) throws ConfigurationException {
        try {
            return Planner.plan(
                    new LinuxTopologyReader(Path.of("/")).read(), ConfigurationReader.planRequest(configuration));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(String.valueOf(e.getMessage()));
        }
    }

    private static EngineBinaries binaries(Configuration configuration, Progress progress)
            throws EngineException, InterruptedException {
        if (configuration.engineBin().isPresent()) {
            return EngineBinaries.installed(configuration.engineBin().get());
        }
        CopyProgress unpacking = (done, total) -> progress.advanced("unpacking PostgreSQL", done, total);
        return EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), unpacking);
    }

    /** Checks that the port is free, so that the error comes at once and not after a minute's work. */
    private static void requireFree(String key, ListenAddress listen) throws StartException {
        if (listen.port() == 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(listen.resolve());
        } catch (UnknownHostException e) {
            throw new StartException(key + ": no address is known for \"" + listen.host() + "\"", e);
        } catch (IOException e) {
            throw new StartException(
                    key + ": cannot listen on " + listen + ": " + e.getMessage() + "; choose another address", e);
        }
    }

    /**
     * Checks a configured memory directory. The default may be missing, as on a machine without tmpfs; the Satellites then use the
     * disk.
     */
    private static void requireMemoryDirectory(Configuration configuration) throws StartException {
        Path memory = configuration.satellites().memoryDirectory();
        boolean named = !memory.equals(Configuration.STANDARD.satellites().memoryDirectory());
        if (named && !Files.isDirectory(memory)) {
            throw new StartException("satellites.memory_directory: there is no directory " + memory);
        }
    }

    /** Refuses settings with which no engine would start. */
    static void requireSettings(Configuration configuration, EngineBinaries binaries)
            throws StartException, EngineException, InterruptedException {
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        configuration.nodes().forEach((id, request) -> all.put(id.name(), request.settings()));
        all.put("satellite", configuration.satellites().settings());
        for (Map.Entry<String, Map<String, String>> node : all.entrySet()) {
            for (Map.Entry<String, String> setting : node.getValue().entrySet()) {
                Optional<String> refusal = SettingCheck.refusal(binaries, setting.getKey(), setting.getValue());
                if (refusal.isPresent()) {
                    throw new StartException(
                            "nodes." + node.getKey() + ".settings." + setting.getKey() + ": " + refusal.get());
                }
            }
        }
    }

    private static void create(Path directory, EngineUser user) throws StartException {
        try {
            user.makeWay(directory);
        } catch (IOException e) {
            throw new StartException(
                    "cannot make the directory " + directory + ": " + FileProblem.of(e) + "; choose another --dir", e);
        }
    }

    private static void createWithin(Home home) throws IOException {
        if (home.adopted()) {
            requireOwn(home.directory());
        }
        // The log contains statements, so only its owner may read it. The engines' user has to pass through the run
        // directory.
        directory(home.logs(), "rwx------");
        directory(home.run(), "rwx--x--x");
    }

    private static void directory(Path directory, String mode) throws IOException {
        // The parent may belong to another user: /tmp, or the parent of an adopted data directory.
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(directory);
        }
        requireOwn(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
    }

    private static void requireOwn(Path directory) throws IOException {
        String owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
        if (!owner.equals(System.getProperty("user.name"))) {
            throw new IOException(directory + " belongs to the user " + owner);
        }
    }

    /** Deletes sockets outside the home, after everything has ended. */
    void end() {
        try {
            if (!home.run().startsWith(home.directory())) {
                deleteTree(home.run());
            }
        } finally {
            lock.close();
        }
    }

    /** Deletes everything that this start has created, after it failed before any commit was acknowledged. */
    void undo() {
        try (lock) {
            if (created) {
                Set<Path> trees = Set.of(home.directory(), home.run());
                for (Path tree : trees) {
                    deleteTree(tree);
                }
            }
        }
    }

    private static void deleteTree(Path tree) {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
