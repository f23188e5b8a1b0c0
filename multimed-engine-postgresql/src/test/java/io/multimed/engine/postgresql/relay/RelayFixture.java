package io.multimed.engine.postgresql.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A Relay between a test Master and up to two Satellites, with a record of its notifications. */
final class RelayFixture implements AutoCloseable, RelayListener {
    static final RelayOptions SMALL = new RelayOptions(
            RelayOptions.MIN_BUFFER,
            RelayOptions.DEFAULT.keepalive(),
            RelayOptions.DEFAULT.silence(),
            RelayOptions.DEFAULT.feedback());

    final MasterVisibility visibility = new MasterVisibility();
    final MasterLog log = new MasterLog(visibility);
    final ComputationalNode first = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    final ComputationalNode second = new ComputationalNode(NodeId.satellite(2), Role.SATELLITE);
    final List<String> events = new CopyOnWriteArrayList<>();
    final FreshnessGate gate;
    private final Path directory;
    private final boolean owned;
    private final int port;
    final Relay relay;

    RelayFixture(TestEngine master, RelayOptions options) throws Exception {
        this(master, options, Files.createTempDirectory("relay"), true);
    }

    /** @param listenDirectory where an earlier Relay may have listened */
    RelayFixture(TestEngine master, RelayOptions options, Path listenDirectory) throws Exception {
        this(master, options, listenDirectory, false);
    }

    private RelayFixture(TestEngine master, RelayOptions options, Path listenDirectory, boolean temporary)
            throws Exception {
        owned = temporary;
        directory = listenDirectory;
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        port = 5432;
        relay = new Relay(
                new RelayAddresses(master.socketDirectory(), master.port(), "postgres", master.data(), directory, port),
                options,
                log,
                List.of(first, second),
                this);
        gate = new FreshnessGate(relay);
        relay.start(gate);
    }

    RelayFixture connected() throws Exception {
        Patience.until("the floor is known", () -> log.floor() != MasterLog.UNKNOWN);
        return this;
    }

    /** Returns the {@code primary_conninfo} of a Satellite. */
    String primaryConninfo(ComputationalNode satellite) {
        return "host=" + directory + " port=" + port + " user=postgres application_name="
                + satellite.id().name();
    }

    Path socket() {
        return directory.resolve(".s.PGSQL." + port);
    }

    /** Waits until the Satellite has applied all commits made before this call. */
    void caughtUp(ComputationalNode satellite) throws Exception {
        long floor = log.floor();
        Patience.until(
                () -> satellite.id() + " has applied " + Lsn.format(floor) + " but is at "
                        + Lsn.format(satellite.applied()) + " after " + events,
                () -> satellite.applied() >= floor);
    }

    void awaitEvent(String event) throws Exception {
        Patience.until(() -> event + " in " + events, () -> events.contains(event));
    }

    @Override
    public void masterConnected() {
        events.add("masterConnected");
    }

    @Override
    public void masterLost(String reason) {
        events.add("masterLost");
    }

    @Override
    public void masterUnusable(String reason) {
        events.add("masterUnusable");
    }

    @Override
    public void feedConnected(NodeId satellite) {
        events.add("feedConnected " + satellite);
    }

    @Override
    public void feedLost(NodeId satellite, String reason) {
        events.add("feedLost " + satellite);
    }

    @Override
    public void applied(NodeId satellite, long position) {}

    @Override
    public void silent(NodeId satellite) {
        events.add("silent " + satellite);
    }

    @Override
    public void heardAgain(NodeId satellite) {
        events.add("heardAgain " + satellite);
    }

    @Override
    public void logUnavailable(NodeId satellite, long position) {
        events.add("logUnavailable " + satellite);
    }

    @Override
    public void catalogChanged(CatalogChange change) {
        events.add("catalogChanged " + change.database() + " " + change.transaction()
                + (change.objects().sessions() ? " shared" : ""));
    }

    @Override
    public void close() throws IOException {
        relay.close();
        if (owned) {
            Files.deleteIfExists(directory);
        }
    }
}
