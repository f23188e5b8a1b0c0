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
import java.util.List;

/** Starts every system once on an empty cluster, so that one that does not start is told before anything is loaded. */
final class Rehearsal {
    private Rehearsal() {}

    static void of(List<SystemUnderTest> systems, Equipment equipment) throws BenchException, InterruptedException {
        Path empty = Template.initialise(equipment.workspace(), equipment.binaries(), "empty");
        for (SystemUnderTest system : systems) {
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
        equipment.workspace().remove(equipment.workspace().path("empty"));
    }
}
