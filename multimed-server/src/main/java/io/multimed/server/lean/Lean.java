package io.multimed.server.lean;

import io.multimed.core.node.NodeContents;
import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatelliteStatus;
import io.multimed.engine.postgresql.catalog.QueriedRows;
import io.multimed.engine.postgresql.indexes.IndexPlaces;
import io.multimed.engine.postgresql.indexes.IndexSurvey;
import io.multimed.engine.postgresql.indexes.MovedIndex;
import io.multimed.engine.postgresql.indexes.SurveyedIndex;
import io.multimed.server.config.PartialSatellite;
import io.multimed.server.master.MasterConnections;
import io.multimed.server.satellite.PartialContents;
import io.multimed.server.satellite.SatelliteUnit;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Moves indexes from the Master to partial Satellites, and back.
 *
 * <p>An index goes this way: it is written into the file; every partial Satellite that carries its table makes it; it is dropped on the
 * Master. Back: it is made on the Master; it is taken out of the file. So at any time the Master or the Satellites have it, and after a
 * crash between any two steps both directions are open. Which step was the last is seen on the Master: it has the index, lacks it, or
 * has what an interrupted command has left of it.
 *
 * <p>Thread-safe; one request at a time moves indexes.
 */
public final class Lean {
    /** Time for which a Satellite that is copied, or catches up, is awaited. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Time within which a Satellite notices that its catalogs are not the Master's any more. */
    private static final Duration STALE = Duration.ofSeconds(20);

    /** Time within which a Satellite that has failed is tried again, unless it has failed often. */
    private static final Duration DOWN = Duration.ofSeconds(30);

    private static final long BETWEEN_LOOKS_NANOS = Duration.ofMillis(100).toNanos();

    private static final String DATABASES =
            "SELECT datname FROM pg_database WHERE datallowconn AND NOT datistemplate ORDER BY datname";

    /** There is no such table, column, type, operator class or function any more. */
    private static final List<String> GONE = List.of("42P01", "42703", "42704", "42883", "3F000");

    /** Opens connections to nodes as their superuser. */
    public interface NodeConnections {
        Connection open(SatelliteUnit satellite, String database) throws SQLException;
    }

    private final MovedIndexFile file;
    private final List<PartialSatellite> partial;
    private final PartialContents contents;
    private final MasterConnections master;
    private final NodeConnections nodes;
    private final Supplier<List<SatelliteUnit>> satellites;
    private final Runnable onChange;
    private final ReentrantLock moving = new ReentrantLock();

    /**
     * @param contents the tables of the partial Satellites
     * @param satellites all Satellites
     * @param onChange called when other indexes count as moved than before; it must return at once
     */
    public Lean(
            MovedIndexFile file,
            List<PartialSatellite> partial,
            PartialContents contents,
            MasterConnections master,
            NodeConnections nodes,
            Supplier<List<SatelliteUnit>> satellites,
            Runnable onChange) {
        this.file = file;
        this.partial = List.copyOf(partial);
        this.contents = contents;
        this.master = master;
        this.nodes = nodes;
        this.satellites = satellites;
        this.onChange = onChange;
    }

    /** Why a request cannot be carried out. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(String reason) {
            super(reason);
        }
    }

    /** The indexes of one database, as the Master has them and with the advice for each. */
    private record Known(List<SurveyedIndex> onMaster, List<LeanRow> rows) {}

    /** Returns all indexes of the Master, and those that were moved, with what can be done about each. Blocks. */
    public LeanAnswer propose() {
        try {
            List<LeanRow> rows = new ArrayList<>();
            for (String database : databases()) {
                rows.addAll(know(database).rows());
            }
            return new LeanAnswer(rows, List.of(), "");
        } catch (SQLException e) {
            return new LeanAnswer(List.of(), List.of(), "the master cannot be asked: " + e.getMessage());
        }
    }

    /**
     * Moves indexes to the partial Satellites that carry their tables. Blocks until all is done, which takes as long as the oldest
     * transaction that may use such an index.
     *
     * @param name of the index; empty for all that are proposed, one after the other
     */
    public LeanAnswer apply(Optional<String> name) {
        return oneAtATime(done -> {
            List<MovedIndex> chosen = new ArrayList<>();
            for (String database : databases()) {
                Known known = know(database);
                for (MovedIndex index : file.indexes()) {
                    if (index.database().equals(database) && isMeant(index, name)) {
                        chosen.add(index);
                    }
                }
                for (int i = 0; i < known.onMaster().size(); i++) {
                    SurveyedIndex surveyed = known.onMaster().get(i);
                    if (isMeant(surveyed, name) && isChosen(surveyed, name.isPresent())) {
                        chosen.add(surveyed.moved());
                    }
                }
            }
            requireOne(name, chosen, "the master has no index " + name.orElse(""));
            for (MovedIndex index : chosen) {
                move(index, done);
            }
        });
    }

    private boolean isMeant(SurveyedIndex surveyed, Optional<String> name) {
        SurveyedIndex.Name index = surveyed.index();
        return !isMoved(surveyed)
                && (name.isEmpty()
                        || name.get().equals(index.name())
                        || name.get().equals(index.schema() + "." + index.name()));
    }

    private static boolean isMeant(MovedIndex index, Optional<String> name) {
        return name.isEmpty() || index.isCalled(name.get());
    }

    private static boolean isChosen(SurveyedIndex surveyed, boolean named) throws RefusedException {
        LeanRow row = LeanAdvice.of(surveyed);
        return switch (row.advice()) {
            case MOVE -> true;
            case ASK -> named;
            default -> {
                if (named) {
                    throw new RefusedException(row.index() + " stays on the master: " + row.because()
                            + (row.advice() == LeanRow.Advice.NOWHERE ? "; " + howToCarry(row.table()) : ""));
                }
                yield false;
            }
        };
    }

    /** Says how a table gets a partial Satellite. */
    public static String howToCarry(String table) {
        return "write [satellites.NAME] tables = [\"" + table + "\"] into the configuration";
    }

    private static void requireOne(Optional<String> name, List<MovedIndex> chosen, String otherwise)
            throws RefusedException {
        if (name.isPresent() && chosen.isEmpty()) {
            throw new RefusedException(otherwise);
        }
        if (name.isPresent() && chosen.size() > 1) {
            throw new RefusedException("there are several indexes " + name.get() + ": "
                    + String.join(
                            ", ",
                            chosen.stream()
                                    .map(index -> index + " in database " + index.database())
                                    .toList()));
        }
    }

    private void move(MovedIndex index, List<String> done)
            throws SQLException, IOException, RefusedException, InterruptedException {
        List<SatelliteUnit> carriers = carriers(index);
        if (carriers.isEmpty()) {
            throw new RefusedException("no partial satellite carries " + index.schema() + "." + index.table() + "; "
                    + howToCarry(index.schema() + "." + index.table()));
        }
        boolean known = file.indexes().contains(index);
        if (!known) {
            file.add(index);
            onChange.run();
        }
        boolean everywhere = false;
        try {
            for (SatelliteUnit carrier : carriers) {
                makeOn(carrier, index);
            }
            everywhere = true;
        } finally {
            if (!everywhere && !known) {
                // The Master still has it.
                file.remove(index);
                onChange.run();
            }
        }
        try (Connection connection = master.open(index.database())) {
            IndexPlaces.drop(connection, index);
        }
        done.add(index + " is on "
                + String.join(
                        ", ",
                        carriers.stream()
                                .map(carrier -> carrier.node().id().name())
                                .toList())
                + ", and no longer on the master.");
    }

    private void makeOn(SatelliteUnit carrier, MovedIndex index)
            throws SQLException, RefusedException, InterruptedException {
        long began = System.nanoTime();
        long down = began;
        String name = carrier.node().id().name();
        while (true) {
            SatelliteStatus status = carrier.supervisor().status();
            if (carrier.node().serving()) {
                try (Connection connection = nodes.open(carrier, index.database())) {
                    if (IndexPlaces.make(connection, index, true)) {
                        return;
                    }
                    throw new RefusedException(name + " does not carry " + index.schema() + "." + index.table());
                } catch (SQLException e) {
                    String state = String.valueOf(e.getSQLState());
                    // A copy that is about to be made anew may lack what the master has.
                    boolean mayPass = GONE.contains(state) && System.nanoTime() - began < STALE.toNanos();
                    if (!mayPass && isOfStatement(state)) {
                        throw new RefusedException(name + " cannot make " + index + ": " + e.getMessage());
                    }
                }
            } else if (status.phase() != SatellitePhase.DOWN && status.phase() != SatellitePhase.STOPPED) {
                down = System.nanoTime();
            } else if (System.nanoTime() - down > DOWN.toNanos()) {
                throw new RefusedException(
                        name + ", which would carry " + index + ", does not serve: " + status.detail());
            }
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new RefusedException(name + ", which would carry " + index + ", has not served for "
                        + PATIENCE.toMinutes() + " minutes");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** Whether the failure lies in the statement or its data, as opposed to the engine's end. */
    private static boolean isOfStatement(String state) {
        return !state.startsWith("08") && !state.startsWith("57");
    }

    /**
     * Makes indexes on the Master again, and forgets that they were moved. Blocks until all is done.
     *
     * @param name of the index; empty for all that were moved
     */
    public LeanAnswer undo(Optional<String> name) {
        return oneAtATime(done -> {
            List<MovedIndex> chosen = file.indexes().stream()
                    .filter(index -> isMeant(index, name))
                    .toList();
            requireOne(name, chosen, "no index " + name.orElse("") + " has been moved");
            for (MovedIndex index : chosen) {
                bringBack(index, done);
            }
        });
    }

    private void bringBack(MovedIndex index, List<String> done) throws SQLException, IOException {
        String result = " is on the master again.";
        try (Connection connection = master.open(index.database())) {
            IndexPlaces.restore(connection, index);
        } catch (SQLException e) {
            if (!GONE.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            result = " is forgotten, since it cannot be made any more (" + e.getMessage() + "): " + index.definition()
                    + ".";
        }
        file.remove(index);
        onChange.run();
        done.add(index + result);
    }

    private interface Work {
        void run(List<String> done) throws SQLException, IOException, RefusedException, InterruptedException;
    }

    private LeanAnswer oneAtATime(Work work) {
        List<String> done = new ArrayList<>();
        String problem = "";
        if (!moving.tryLock()) {
            return new LeanAnswer(List.of(), done, "another multimed lean is moving indexes");
        }
        try {
            work.run(done);
        } catch (RefusedException e) {
            problem = String.valueOf(e.getMessage());
        } catch (SQLException | IOException e) {
            problem = e.getMessage() + "; repeat the command, or undo what it has done with multimed lean --undo";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            problem = "interrupted";
        } finally {
            moving.unlock();
        }
        return new LeanAnswer(List.of(), done, problem);
    }

    private List<String> databases() throws SQLException {
        try (Connection connection = master.open("postgres")) {
            return QueriedRows.of(connection, DATABASES).stream()
                    .map(List::getFirst)
                    .toList();
        }
    }

    private Known know(String database) throws SQLException {
        try (Connection connection = master.open(database)) {
            List<SurveyedIndex> surveyed = IndexSurvey.read(connection, database, carried(database));
            List<LeanRow> rows = new ArrayList<>();
            for (SurveyedIndex one : surveyed) {
                rows.add(isMoved(one) ? LeanAdvice.ofInterrupted(one) : LeanAdvice.of(one));
            }
            for (MovedIndex index : file.indexes()) {
                if (index.database().equals(database) && surveyed.stream().noneMatch(one -> isSame(one, index))) {
                    rows.add(LeanAdvice.ofMoved(index, IndexPlaces.state(connection, index), names(carriers(index))));
                }
            }
            return new Known(surveyed, rows);
        }
    }

    private boolean isMoved(SurveyedIndex surveyed) {
        return file.indexes().stream().anyMatch(index -> isSame(surveyed, index));
    }

    private static boolean isSame(SurveyedIndex surveyed, MovedIndex index) {
        SurveyedIndex.Name name = surveyed.index();
        return name.database().equals(index.database())
                && name.schema().equals(index.schema())
                && name.name().equals(index.name())
                && name.definition().equals(index.definition());
    }

    private Map<String, List<String>> carried(String database) {
        Map<String, List<String>> carried = new LinkedHashMap<>();
        for (PartialSatellite one : partial) {
            if (one.database().equals(database) && one.serves() != NodeContents.Takes.RULES) {
                carried.put(one.id().name(), contents.of(one.id()));
            }
        }
        return carried;
    }

    private static List<String> names(List<SatelliteUnit> units) {
        return units.stream().map(unit -> unit.node().id().name()).toList();
    }

    /** Returns the partial Satellites that carry the index's table. */
    private List<SatelliteUnit> carriers(MovedIndex index) throws SQLException {
        List<SatelliteUnit> carriers = new ArrayList<>();
        try (Connection connection = master.open(index.database())) {
            Map<String, List<String>> carried = carried(index.database());
            for (SatelliteUnit unit : satellites.get()) {
                List<String> tables = carried.get(unit.node().id().name());
                if (tables != null && IndexPlaces.isCarried(connection, index, tables)) {
                    carriers.add(unit);
                }
            }
        }
        return carriers;
    }
}
