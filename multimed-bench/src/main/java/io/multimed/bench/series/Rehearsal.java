package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.system.Equipment;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.SystemUnderTest;
import io.multimed.bench.system.Template;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Starts each system once on an empty cluster, so that a system that does not start is reported before anything is loaded.
 *
 * @param empty the cluster
 */
record Rehearsal(Equipment equipment, Path empty) {
    private static final String EMPTY = "empty";

    static Rehearsal prepare(Equipment equipment) throws BenchException, InterruptedException {
        return new Rehearsal(equipment, Template.initialise(equipment.workspace(), equipment.binaries(), EMPTY));
    }

    /** @throws BenchException if it does not start, or answers nothing */
    void of(SystemUnderTest system) throws BenchException, InterruptedException {
        Path files = equipment.workspace().directory("rehearsal");
        Path data = equipment.workspace().copy(empty, files.resolve("data"));
        try (RunningSystem running = system.start(data, files);
                Connection connection =
                        DriverManager.getConnection(running.address().url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        } catch (SQLException e) {
            throw new BenchException(system.name() + " starts and answers nothing: " + e.getMessage(), e);
        } finally {
            equipment.workspace().remove(files);
        }
    }

    void end() throws BenchException {
        equipment.workspace().remove(equipment.workspace().path(EMPTY));
    }
}
