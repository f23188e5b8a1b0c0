package io.multimed.tests.server;

import io.multimed.model.Role;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.home.Home;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import io.multimed.server.status.StatusJson;
import io.multimed.testkit.process.JavaProgram;
import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;

/** A whole Multimed with MariaDB as a process of its own, in a temporary directory, that can be killed, stopped and started again. */
public final class MariaDbProgram implements AutoCloseable {
    private static final JavaProgram PROGRAM = new JavaProgram("io.multimed.mariadb.cli.MariaDbMain");

    private final TestDirectory parent;
    private final Home home;
    private final int port;
    private final int satellites;
    private ProgramProcess life;

    private MariaDbProgram(TestDirectory parent, int port, int satellites) throws IOException {
        this.parent = parent;
        this.port = port;
        this.satellites = satellites;
        home = Home.of(parent.resolve("home"));
        life = begin();
    }

    /** Starts an instance and waits until all its Satellites serve. */
    public static MariaDbProgram start(int satellites) throws Exception {
        TestDirectory parent = new TestDirectory();
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        MariaDbProgram started = new MariaDbProgram(parent, port, satellites);
        try {
            started.life.awaitLineWith("ready ");
            return started;
        } catch (AssertionError | Exception e) {
            started.close();
            throw e;
        }
    }

    private ProgramProcess begin() throws IOException {
        return PROGRAM.start(
                "up",
                "--engine",
                "mariadb",
                "--dir",
                home.directory().toString(),
                "--listen",
                "127.0.0.1:" + port,
                "--satellites",
                Integer.toString(satellites));
    }

    /** Starts it again after its end, and waits until all its Satellites serve. */
    public void startAgain() throws IOException, InterruptedException {
        life = begin();
        life.awaitLineWith("ready ");
    }

    /** Returns the port for clients. */
    public int port() {
        return port;
    }

    /** Returns the Master's data directory. */
    public Path data() {
        return home.data();
    }

    public InstanceStatus status() throws StartException {
        return StatusJson.read(ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.STATUS));
    }

    public NodeStatus master() throws StartException {
        return status().nodes().getFirst();
    }

    public List<NodeStatus> satellites() throws StartException {
        return status().nodes().stream()
                .filter(node -> node.role() == Role.SATELLITE)
                .toList();
    }

    /** Returns the number of reads that Satellites have answered since the start. */
    public long served() throws StartException {
        return satellites().stream().mapToLong(NodeStatus::served).sum();
    }

    /** Returns the socket of an engine itself. */
    public static Path socket(NodeStatus node) {
        return Path.of(node.host());
    }

    /** Whether all nodes serve. */
    public boolean serves() {
        try {
            return status().nodes().stream().allMatch(node -> node.state().equals("serving"));
        } catch (StartException notYet) {
            return false;
        }
    }

    /** Returns its messages so far. */
    public String said() {
        return life.errors();
    }

    /** Sends the middleware a signal. */
    public void signal(String signal) throws IOException, InterruptedException {
        life.signal(signal);
    }

    /** Ends the middleware as a crash would. */
    public void kill() throws InterruptedException {
        life.kill();
        life.awaitExit();
    }

    @Override
    public void close() throws IOException {
        try (parent) {
            life.close();
        }
    }
}
