package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.system.EngineGroup.Replication;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * One PostgreSQL for all clients, and another one that subscribes to some of its tables: PostgreSQL's own way to what a partial
 * Satellite does, beginning with the same rows.
 */
record Subscribed(String name, Equipment<EngineBinaries> equipment, Carried carried) implements SystemUnderTest {
    @Override
    public String description() {
        return "one PostgreSQL " + equipment.binaries().version() + ", and one that subscribes to "
                + String.join(", ", carried.tables()) + " (binary)";
    }

    @Override
    public RunningSystem start(Path data, Path files) throws BenchException, InterruptedException {
        EngineGroup group = EngineGroup.start(equipment, Replication.SUBSCRIPTION, 1, data, files);
        try {
            subscribe(group.engines().getFirst(), group.engines().getLast());
            return new EngineGroup(group.servers(), carried.tables());
        } catch (SQLException e) {
            group.close();
            throw new BenchException("cannot subscribe: " + e.getMessage(), e);
        }
    }

    private void subscribe(PostgresNode publisher, PostgresNode subscriber) throws SQLException {
        try (Connection there = publisher.open(Template.DATABASE);
                Connection here = subscriber.open(Template.DATABASE);
                Statement publishing = there.createStatement();
                Statement subscribing = here.createStatement()) {
            publishing.execute("CREATE PUBLICATION bench FOR TABLE " + String.join(", ", carried.tables()));
            subscribing.execute("CREATE SUBSCRIPTION bench CONNECTION 'host="
                    + publisher.address().directory() + " port="
                    + publisher.address().port()
                    + " user=postgres dbname=" + Template.DATABASE
                    + "' PUBLICATION bench WITH (copy_data = false, binary = true)");
        }
    }
}
