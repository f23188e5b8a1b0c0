package io.multimed.tests.server;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A whole Multimed as a process of its own, in a temporary directory, that can be killed, stopped and started again. */
public final class MultimedProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** One engine, as {@code SHOW NODES} shows it. */
    public record Node(String name, String role, String state, long pid, ServerAddress address) {}

    /** Memory in megabytes: live objects of the heap, the process's resident memory, and its maximum. */
    public record Memory(long heap, long resident, long peak) {
        @Override
        public String toString() {
            return heap + " MB heap, " + resident + " MB resident, at most " + peak + " so far";
        }
    }

    /** Used kilobytes of one generation of the heap, as the serial collector lists them. */
    private static final Pattern USED_HEAP = Pattern.compile("(?:DefNew|Tenured) +total \\d+K, used (\\d+)K");

    /** One life of the process. */
    private static final class Life {
        final Process process;
        final CountDownLatch ready = new CountDownLatch(1);
        final List<String> said = new ArrayList<>();

        Life(Process process) {
            this.process = process;
            Thread.ofPlatform().daemon().start(this::listen);
        }

        private void listen() {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    synchronized (said) {
                        said.add(line);
                    }
                    if (line.startsWith("ready ")) {
                        ready.countDown();
                    }
                }
            } catch (IOException ended) {
                // The stream ends with the process.
            }
        }

        String said() {
            synchronized (said) {
                return String.join("\n", said);
            }
        }
    }

    private final Path directory;
    private final int port;
    private Life life;

    private MultimedProcess(Path directory, int port) throws IOException {
        this.directory = directory;
        this.port = port;
        life = begin();
    }

    /** Starts an instance and waits until all its Satellites serve. */
    public static MultimedProcess start(int satellites) throws Exception {
        Path directory = Files.createTempDirectory("multimed-test-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        int port = freePort();
        Files.writeString(
                directory.resolve("test.toml"), RunningMultimed.configuration("127.0.0.1:" + port, satellites));
        MultimedProcess started = new MultimedProcess(directory, port);
        try {
            started.awaitReady();
            return started;
        } catch (AssertionError | Exception e) {
            started.close();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Life begin() throws IOException {
        return new Life(new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.multimed.cli.Main",
                        "up",
                        "--dir",
                        directory.resolve("home").toString(),
                        "--config",
                        directory.resolve("test.toml").toString())
                .redirectErrorStream(true)
                .start());
    }

    /** Starts it again after its end, and waits until it reports that it is ready. */
    public void startAgain() throws IOException, InterruptedException {
        life = begin();
        awaitReady();
    }

    private void awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!life.ready.await(100, TimeUnit.MILLISECONDS)) {
            if (!life.process.isAlive() || System.nanoTime() > deadline) {
                throw new AssertionError("did not start: " + life.said());
            }
        }
    }

    /** Returns its messages since its latest start. */
    public String said() {
        return life.said();
    }

    public ServerAddress address() {
        return ServerAddress.of("127.0.0.1", port);
    }

    /** Returns the address of the Master, past Multimed. */
    public ServerAddress master() throws IOException {
        return nodes().stream()
                .filter(node -> node.role().equals("master"))
                .findFirst()
                .orElseThrow()
                .address();
    }

    public List<Node> satellites() throws IOException {
        return nodes().stream().filter(node -> node.role().equals("satellite")).toList();
    }

    public List<Node> nodes() throws IOException {
        try (WireSession admin = WireSession.open(address(), "postgres", "multimed", PATIENCE)) {
            List<Node> nodes = new ArrayList<>();
            for (List<@Nullable String> row : admin.rows("SHOW NODES")) {
                nodes.add(new Node(
                        text(row, 0),
                        text(row, 1),
                        text(row, 2),
                        Long.parseLong(text(row, 3)),
                        ServerAddress.of(text(row, 5), Integer.parseInt(text(row, 6)))));
            }
            return nodes;
        }
    }

    private static String text(List<@Nullable String> row, int column) {
        return Objects.requireNonNull(row.get(column));
    }

    public Path directory() {
        return directory;
    }

    public boolean isAlive() {
        return life.process.isAlive();
    }

    /** Returns the middleware's present memory; collects its garbage first. */
    public Memory memory() throws IOException, InterruptedException {
        long pid = life.process.pid();
        jcmd(pid, "GC.run");
        Matcher used = USED_HEAP.matcher(jcmd(pid, "GC.heap_info"));
        long heap = 0;
        while (used.find()) {
            heap += Long.parseLong(used.group(1));
        }
        String status = Files.readString(Path.of("/proc", Long.toString(pid), "status"));
        return new Memory(heap >> 10, megabytes(status, "VmRSS"), megabytes(status, "VmHWM"));
    }

    private static long megabytes(String status, String name) {
        Matcher line = Pattern.compile(name + ":\\s+(\\d+) kB").matcher(status);
        if (!line.find()) {
            throw new IllegalStateException("no " + name + " in " + status);
        }
        return Long.parseLong(line.group(1)) >> 10;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(System.getProperty("java.home") + "/bin/jcmd", Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        String answer = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd " + command + ": " + answer);
        }
        return answer;
    }

    /** Ends it as a crash would. */
    public void kill() throws InterruptedException {
        life.process.destroyForcibly().waitFor();
    }

    /** Ends it as an administrator would, and waits for its end. @return its exit status */
    public int shutDown() throws InterruptedException {
        life.process.destroy();
        if (!life.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("does not end: " + life.said());
        }
        return life.process.exitValue();
    }

    /** Freezes it, or lets it go on. */
    public void signal(String signal) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + signal, Long.toString(life.process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new AssertionError("kill -" + signal + " failed");
        }
    }

    @Override
    public void close() throws IOException {
        life.process.destroy();
        try {
            if (!life.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                life.process.destroyForcibly();
                throw new IOException("does not end: " + life.said());
            }
        } catch (InterruptedException e) {
            life.process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        RunningMultimed.remove(directory);
    }
}
