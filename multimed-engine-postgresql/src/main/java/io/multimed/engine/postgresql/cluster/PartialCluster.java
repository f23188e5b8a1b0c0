package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.copy.LeftOutFiles;
import io.multimed.engine.postgresql.indexes.IndexPlaces;
import io.multimed.engine.postgresql.indexes.MovedIndex;
import io.multimed.engine.postgresql.partial.CatalogDigest;
import io.multimed.engine.postgresql.process.ClusterProcesses;
import io.multimed.engine.postgresql.writeset.MasterWriteSets;
import io.multimed.engine.postgresql.writeset.QualifiedName;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of a partial Satellite: an ordinary server that carries some tables of one database.
 *
 * <p>Its data is a physical copy of the Master's without the files of the other tables. The engine recovers it up to one position of
 * the Master's log, {@link #seedPosition}, and is promoted there; then the other tables are dropped. So every object has the Master's
 * OID, and the tables hold exactly the commits whose SCN is at most that position. Commits after it are brought as write sets. The
 * data is never used for a second start.
 *
 * <p>Driven by one worker thread, as {@link SatelliteControl} says; {@link #address}, {@link #pid} and {@link #kill} may be called
 * from any.
 */
public final class PartialCluster implements SatelliteServer {
    private static final Logger LOG = LoggerFactory.getLogger(PartialCluster.class);
    /** Class of the states of statements that name what there is not, or do not fit it. */
    private static final String IMPOSSIBLE = "42";

    private final SatelliteConfig config;
    private final Supplier<CarriedTables> choice;
    private final List<String> indexes;
    private final Supplier<List<MovedIndex>> moved;
    private final MasterCluster master;
    private final Path run;
    private final SatellitePlace place;
    private final RunningSatellite engine;
    private Copy copy;
    private Content content = Content.NONE;

    /**
     * The present copy of the Master's data.
     *
     * @param settings those of the Master when it was made
     * @param seed the position to which it is recovered
     */
    private record Copy(CarriedTables tables, LeftOutFiles leftOut, MasterSettings settings, MasterPosition seed) {
        Copy(CarriedTables tables) {
            this(tables, LeftOutFiles.NONE, MasterSettings.NONE, MasterPosition.NONE);
        }
    }

    /**
     * The content of the running engine.
     *
     * @param catalogs null if it has not been started
     */
    private record Content(
            @Nullable CatalogDigest catalogs, Set<QualifiedName> carries, Map<QualifiedName, Set<String>> columns) {
        static final Content NONE = new Content(null, Set.of(), Map.of());
    }

    /**
     * @param config its {@link SatelliteConfig#relay} is not used: the Master itself brings the log that completes the copy
     * @param choice of the tables, asked before each copy
     * @param indexes statements that create indexes and statistics on this engine alone
     * @param moved indexes that the Master has not, asked after each copy; those of other tables do not matter
     */
    public PartialCluster(
            SatelliteConfig config,
            Supplier<CarriedTables> choice,
            List<String> indexes,
            Supplier<List<MovedIndex>> moved,
            MasterCluster master) {
        this.config = config;
        this.choice = choice;
        this.copy = new Copy(choice.get());
        this.indexes = List.copyOf(indexes);
        this.moved = moved;
        this.master = master;
        this.run = RunDirectory.place(config.runDirectory(), config.user());
        ClusterProcesses family = ClusterProcesses.of(config.id().name(), config.dataDirectory());
        this.place = new SatellitePlace(config, master, family);
        this.engine = new RunningSatellite(config, place, run, family);
    }

    /** Returns false: nobody keeps the write sets that data of an earlier run lacks. */
    @Override
    public boolean hasData() throws InterruptedException {
        return false;
    }

    /** @throws EngineException also if one of the tables cannot be carried; with the reason and the remedy */
    @Override
    public void copyFromMaster(CopyProgress progress) throws EngineException, InterruptedException {
        CarriedTables tables = choice.get();
        LeftOutFiles leftOut;
        try (Connection connection = connect(master.address(), tables.database())) {
            leftOut = tables.leftOut(connection);
        } catch (SQLException e) {
            throw new EngineException(
                    "Cannot ask the Master for the tables of " + config.id() + ": " + e.getMessage() + ".", e);
        }
        place.copy(leftOut, progress, now -> {
            Path signal = config.dataDirectory().resolve("standby.signal");
            config.user().files(() -> Files.createFile(signal));
            try (Connection connection = connect(master.address(), "postgres")) {
                copy = new Copy(tables, leftOut, now, MasterPosition.mark(connection));
            }
        });
    }

    @Override
    public void start(Runnable onExit) throws EngineException, InterruptedException {
        DataDirectory.requireCompatible(config.dataDirectory(), config.binaries());
        place.endStaleEngine();
        RunDirectory files = RunDirectory.open(run, config.user());
        engine.start(
                SatelliteSettings.ofPartial(
                        config,
                        files,
                        run,
                        copy.settings().limits(),
                        master.address(),
                        copy.seed().text()),
                onExit);
        try {
            undoPrepared();
            CarriedTables tables = copy.tables();
            try (Connection connection = connect(address(), tables.database())) {
                content = new Content(
                        tables.dropOthers(connection, copy.leftOut()),
                        tables.relations(connection),
                        tables.dropColumns(connection));
                MasterWriteSets.dropTriggers(connection);
                addIndexes(connection, tables);
            }
        } catch (SQLException e) {
            engine.kill();
            throw new EngineException(
                    "Cannot make the copy for " + config.id() + " a partial one: " + e.getMessage() + ".", e);
        } catch (EngineException e) {
            engine.kill();
            throw e;
        }
    }

    private void addIndexes(Connection connection, CarriedTables tables) throws SQLException, EngineException {
        boolean added = !indexes.isEmpty();
        for (MovedIndex index : moved.get()) {
            if (index.database().equals(tables.database())) {
                added |= addMoved(connection, index);
            }
        }
        if (!added) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            for (String sql : indexes) {
                try {
                    statement.execute(sql);
                } catch (SQLException e) {
                    throw new EngineException(
                            "Cannot execute for " + config.id() + ": " + sql + ": " + e.getMessage() + ".", e);
                }
            }
            // Extended statistics, and those of expressions in indexes, exist from now on.
            for (String name : tables.names()) {
                statement.execute("ANALYZE " + name);
            }
        }
    }

    private boolean addMoved(Connection connection, MovedIndex index) throws SQLException {
        try {
            return IndexPlaces.make(connection, index, false);
        } catch (SQLException e) {
            if (String.valueOf(e.getSQLState()).startsWith(IMPOSSIBLE)) {
                // On the Master the index would be gone, with the column or the function that it needs.
                LOG.warn(
                        "{} has no index {} any more, {}; have it forgotten with multimed lean --undo {}",
                        config.id(),
                        index,
                        e.getMessage(),
                        index);
                return false;
            }
            throw e;
        }
    }

    /** Ends the prepared transactions, which hold locks: if one is committed on the Master, its write set brings its rows. */
    private void undoPrepared() throws SQLException {
        List<List<String>> prepared = new ArrayList<>();
        try (Connection connection = connect(address(), "postgres");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT database, format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts")) {
            while (rows.next()) {
                prepared.add(List.of(rows.getString(1), rows.getString(2)));
            }
        }
        for (List<String> one : prepared) {
            try (Connection connection = connect(address(), one.get(0));
                    Statement statement = connection.createStatement()) {
                statement.execute(one.get(1));
            }
        }
    }

    private static Connection connect(NodeAddress node, String database) throws SQLException {
        return AdminConnection.open(node, DataDirectory.SUPERUSER, database);
    }

    /** Returns the SCN up to which the engine has the Master's commits when {@link #start} returns. Worker thread. */
    public long seedPosition() {
        return copy.seed().scn();
    }

    /** Returns the carried tables with their partitions and heirs, by the names in the catalog. Worker thread, after {@link #start}. */
    public Set<QualifiedName> carries() {
        return content.carries();
    }

    /** Returns the carried columns of tables that are carried without some. Worker thread, after {@link #start}. */
    public Map<QualifiedName, Set<String>> columns() {
        return content.columns();
    }

    /** Returns the Master's catalogs as of {@link #seedPosition}, as far as answers depend on them. Worker thread, after {@link #start}. */
    public CatalogDigest catalogs() {
        return Objects.requireNonNull(content.catalogs(), "not started");
    }

    @Override
    public void stop(Duration grace) throws InterruptedException {
        engine.stop(grace);
    }

    @Override
    public void kill() {
        engine.kill();
    }

    @Override
    public boolean frozen() {
        return engine.frozen();
    }

    @Override
    public NodeId id() {
        return config.id();
    }

    @Override
    public void discardData() throws EngineException {
        place.discardData();
    }

    @Override
    public Optional<String> lackOfRoom() {
        return place.lackOfRoom();
    }

    /** Returns the time that a group may wait for the locks of readers: as long as the replay of a full Satellite would. */
    @Override
    public Duration replayDelay() {
        return SatelliteSettings.replayDelay(config.longReader(), config.settings());
    }

    @Override
    public void reload() throws EngineException {
        if (engine.pid() == 0) {
            return;
        }
        try {
            Optional<String> configuration = place.askMaster().configuration();
            if (configuration.isPresent()) {
                place.writeConfiguration(configuration.get());
                engine.reload();
            }
        } catch (SQLException e) {
            throw new EngineException("Cannot ask the Master for its settings: " + e.getMessage() + ".", e);
        } catch (IOException e) {
            throw NoRoomException.ifFull(
                    config.dataDirectory(), "Cannot write the settings of " + config.id() + ": " + e + ".", e);
        }
    }

    @Override
    public NodeAddress address() {
        return RunDirectory.address(run);
    }

    @Override
    public long pid() {
        return engine.pid();
    }
}
