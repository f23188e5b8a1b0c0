package io.multimed.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.TestDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The launcher script in a checkout of its own, with JDKs and a Maven that only report that they were called. */
class LauncherTest {
    private record Result(int status, String out, String err) {}

    private TestDirectory directory;
    private Path checkout;

    @BeforeEach
    void makeCheckout() throws IOException {
        directory = new TestDirectory();
        checkout = Files.createDirectories(directory.resolve("a check out"));
        Files.copy(Path.of("..", "multimed"), checkout.resolve("multimed"));
        makeExecutable(checkout.resolve("multimed"));
        Files.writeString(checkout.resolve("pom.xml"), "");
        Files.createDirectories(checkout.resolve("multimed-cli/src/main"));
        Files.writeString(checkout.resolve("multimed-cli/pom.xml"), "");
        Files.writeString(checkout.resolve("multimed-cli/src/main/A.java"), "");
        script(checkout.resolve("mvnw"), """
                echo "$*" >> builds
                for argument in "$@"; do
                    case $argument in
                        -Dmultimed.lib=*) lib=${argument#-Dmultimed.lib=} ;;
                        multimed-*) module=$argument ;;
                    esac
                done
                mkdir -p "$module/target"
                : > "$module/target/$module-1.jar"
                [ -z "${lib:-}" ] || : > "$lib/some library.jar"
                """);
    }

    @AfterEach
    void removeCheckout() throws IOException {
        directory.close();
    }

    private static void makeExecutable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body);
        makeExecutable(file);
    }

    private Path jdk(String name, String version) throws IOException {
        Path jdk = directory.resolve(name);
        script(jdk.resolve("bin/java"), "for argument in \"$@\"; do printf '%s\\n' \"$argument\"; done\n");
        script(jdk.resolve("bin/javac"), "");
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }

    /**
     * @param jdks value of MULTIMED_JDK_DIRS
     */
    private Result run(String jdks, List<String> command, Path from) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(from.toFile());
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("MULTIMED_JDK_DIRS", jdks);
        Path out = Files.createTempFile("launcher", ".out");
        Path err = Files.createTempFile("launcher", ".err");
        try {
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            int status = process.waitFor();
            return new Result(
                    status,
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private Result multimed(Path jdk, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(checkout.resolve("multimed").toString()));
        command.addAll(List.of(arguments));
        return run(jdk.toString(), command, directory.path());
    }

    private long builds() throws IOException {
        Path log = checkout.resolve("builds");
        return Files.exists(log) ? Files.readAllLines(log).size() : 0;
    }

    @Test
    void passesOverJdksThatAreTooOld() throws Exception {
        String jdks = jdk("jdk-17", "17.0.15") + ":" + directory.resolve("none") + ":" + jdk("jdk-25", "25.0.3") + ":"
                + jdk("jdk-26", "26");
        Result found = run(jdks, List.of(checkout.resolve("multimed").toString(), "jdk"), directory.path());
        assertEquals(directory.resolve("jdk-25") + "\n", found.out(), found.err());
    }

    /** Without such a locale the JVM finds no file, its own included, whose name has letters beyond ASCII. */
    @Test
    void givesTheJvmALocaleInUtf8() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        script(jdk.resolve("bin/java"), "locale charmap 2>&1\n");
        for (String environment : List.of("LC_ALL=C", "LANG=xx_XX.UTF-8", "LC_TIME=xx_XX", "LANG=", "LC_ALL=C.UTF-8")) {
            Result started = run(
                    jdk.toString(),
                    List.of(
                            "/usr/bin/env",
                            "-u",
                            "LC_ALL",
                            "-u",
                            "LC_CTYPE",
                            environment,
                            checkout.resolve("multimed").toString(),
                            "status"),
                    directory.path());
            assertEquals("UTF-8\n", started.out(), environment + started.err());
        }
    }

    @Test
    void saysHowToInstallAJdkWhereThereIsNone() throws Exception {
        Result none = run(
                jdk("jdk-17", "17.0.15").toString(),
                List.of(checkout.resolve("multimed").toString(), "up"),
                directory.path());
        assertEquals(1, none.status());
        assertTrue(none.err().contains("needs a JDK 25 or newer"), none.err());
        assertTrue(none.err().contains("jdk-17 (JDK 17)"), none.err());
        for (String command : List.of(
                "apt-get install -y openjdk-25-jdk-headless",
                "temurin-25-jdk",
                "dnf install -y java-25-openjdk-devel",
                "zypper install",
                "pacman -S")) {
            assertTrue(none.err().contains(command), none.err());
        }
        assertEquals(0, builds());
    }

    @Test
    void buildsOnFirstUseAndThenOnlyWhenSourcesHaveChanged() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        Result first = multimed(jdk, "status", "--dir", "a b");
        assertEquals(0, first.status(), first.err());
        assertTrue(first.err().startsWith("multimed: building: first use"), first.err());
        assertTrue(first.out().endsWith("io.multimed.cli.Main\nstatus\n--dir\na b\n"), first.out());
        assertTrue(first.out().contains("/lib/multimed-cli-1.jar:"), first.out());
        assertEquals(1, builds());

        Result second = multimed(jdk, "status");
        assertEquals("", second.err());
        assertEquals(1, builds());

        Files.setLastModifiedTime(
                checkout.resolve("multimed-cli/src/main/A.java"),
                FileTime.from(Instant.now().plusSeconds(1)));
        Result third = multimed(jdk, "status");
        assertTrue(third.err().startsWith("multimed: sources have changed, building"), third.err());
        assertEquals(2, builds());
        try (Stream<Path> kept = Files.list(checkout.resolve("target/dist"))) {
            assertEquals(2, kept.count(), "an instance may still run from the build before");
        }
    }

    @Test
    void worksThroughASymbolicLinkAndFromAnywhere() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("mm"), Path.of("..", "a check out", "multimed"));
        Files.createSymbolicLink(bin.resolve("mmm"), Path.of("mm"));
        Result run = run(jdk.toString(), List.of(bin.resolve("mmm").toString(), "plan"), Path.of("/"));
        assertEquals(0, run.status(), run.err());
        assertTrue(run.out().endsWith("io.multimed.cli.Main\nplan\n"), run.out());
        assertTrue(Files.exists(checkout.resolve("target/current")));
    }

    @Test
    void usesTheClassCacheNoMoreOnceTheCheckoutHasMoved() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        multimed(jdk, "plan");
        try (Stream<Path> builds = Files.list(checkout.resolve("target/dist"))) {
            Files.writeString(builds.findFirst().orElseThrow().resolve("classes.aot"), "");
        }
        assertTrue(multimed(jdk, "plan").out().contains("AOTCache="));
        Path moved = Files.move(checkout, directory.resolve("moved"));
        Result run = run(jdk.toString(), List.of(moved.resolve("multimed").toString(), "plan"), Path.of("/"));
        assertEquals(0, run.status(), run.err());
        assertFalse(run.out().contains("AOTCache="), run.out());
    }

    @Test
    void refusesAPlaceWhoseNameJavaWouldTakeForTwo() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        Path two = Files.move(checkout, directory.resolve("10:30"));
        Result run = run(jdk.toString(), List.of(two.resolve("multimed").toString(), "plan"), Path.of("/"));
        assertEquals(1, run.status(), run.out());
        assertTrue(run.err().contains("cannot run in " + two), run.err());
    }

    @Test
    void mariaDbIsAProgramOfItsOwn() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.1");
        for (List<String> line :
                List.of(List.of("up", "--engine", "mariadb", "--dir", "d"), List.of("up", "--engine=mariadb"))) {
            Result run = multimed(jdk, line.toArray(String[]::new));
            assertEquals(0, run.status(), run.err());
            assertTrue(
                    run.out().endsWith("io.multimed.mariadb.cli.MariaDbMain\n" + String.join("\n", line) + "\n"),
                    run.out());
        }
        Result postgresql = multimed(jdk, "up", "--engine", "postgresql", "--dir", "mariadb");
        assertTrue(postgresql.out().contains("io.multimed.cli.Main\n"), postgresql.out());
        assertFalse(postgresql.out().contains("multimed-mariadb"), postgresql.out());
    }

    @Test
    void benchmarksAreScriptsOrAProgramOfTheirOwnThatIsBuiltAtItsFirstUse() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        script(checkout.resolve("bench/figures.py"), "print('a script')\n");
        Result script = multimed(jdk, "bench", "figures", "clone");
        assertEquals("a script\n", script.out(), script.err());
        assertEquals(1, builds(), "the server alone");
        for (List<String> line : List.of(
                List.of("bench", "tpcw", "--mix", "shopping"),
                List.of("bench"),
                List.of("demo"),
                List.of("help", "bench", "tpcw"),
                List.of("help", "demo"))) {
            Result run = multimed(jdk, line.toArray(String[]::new));
            assertTrue(
                    run.out().endsWith("io.multimed.bench.cli.BenchMain\n" + String.join("\n", line) + "\n"),
                    line + ": " + run.out() + run.err());
            assertTrue(run.out().contains("/lib/multimed-bench-1.jar:"), run.out());
        }
        Result report = multimed(jdk, "bench", "report", "results");
        assertTrue(report.out().endsWith("BenchMain\nbench\nreport\n--results\nresults\n"), report.out());
        assertEquals(2, builds());
        for (List<String> line : List.of(List.of("help"), List.of("help", "up"), List.of("status"))) {
            Result run = multimed(jdk, line.toArray(String[]::new));
            assertTrue(
                    run.out().endsWith("io.multimed.cli.Main\n" + String.join("\n", line) + "\n"),
                    line + ": " + run.out() + run.err());
            assertFalse(run.out().contains("multimed-bench"), run.out());
        }
    }

    @Test
    void changesOfTheBenchmarksBuildThemAndNotTheServer() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        multimed(jdk, "demo");
        assertEquals(2, builds());
        Path source = Files.createDirectories(checkout.resolve("multimed-bench/src/main"))
                .resolve("B.java");
        Files.writeString(source, "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));
        assertEquals("", multimed(jdk, "status").err());
        assertEquals(2, builds());
        assertTrue(multimed(jdk, "demo").err().startsWith("multimed: sources have changed, building"));
        assertEquals(3, builds());
    }

    @Test
    void distributionsAreMadeOfTheServersBuildWithTheFlagsOfItsJvm() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        script(jdk.resolve("bin/java"), """
                for argument in "$@" "${MULTIMED_CHECKOUT:-}" "${MULTIMED_LIBRARIES:-}" ${MULTIMED_JVM_FLAGS:-}; do
                    printf '%s\\n' "$argument"
                done
                """);
        Result made = multimed(jdk, "dist", "--output", "a b");
        assertEquals(0, made.status(), made.err());
        assertEquals(2, builds());
        assertTrue(
                made.out().contains("io.multimed.dist.DistMain\ndist\n--output\na b\n" + checkout + "\n"), made.out());
        String handedOver = made.out().substring(made.out().indexOf("a b\n"));
        String libraries = handedOver.lines().toList().get(2);
        assertTrue(Files.exists(Path.of(libraries).resolve("multimed-cli-1.jar")), handedOver);
        assertTrue(handedOver.contains("-XX:+UseSerialGC"), handedOver);
        multimed(jdk, "dist");
        multimed(jdk, "status");
        assertEquals(2, builds());
    }

    @Test
    void buildsTheDriverToo() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        assertEquals(0, multimed(jdk, "build").status());
        assertTrue(Files.exists(checkout.resolve("multimed-jdbc/target/multimed-jdbc-1.jar")));
        assertEquals(2, builds());
        multimed(jdk, "build");
        assertEquals(2, builds());
    }

    @Test
    void showsTheEndOfABuildThatFailedAndLeavesNoBuild() throws Exception {
        script(checkout.resolve("mvnw"), "echo '[ERROR] no such symbol'; exit 1\n");
        Result failed = multimed(jdk("jdk-25", "25.0.3"), "up");
        assertEquals(1, failed.status());
        assertTrue(failed.err().contains("[ERROR] no such symbol"), failed.err());
        assertTrue(failed.err().contains("the build failed"), failed.err());
        assertFalse(Files.exists(checkout.resolve("target/current")));
    }

    @Test
    void explainsACheckoutThatThisUserMayNotWriteTo() throws Exception {
        Path jdk = jdk("jdk-25", "25.0.3");
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
        } else {
            Files.setPosixFilePermissions(checkout, PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        command.addAll(List.of(checkout.resolve("multimed").toString(), "up"));
        Result refused = run(jdk.toString(), command, Path.of("/"));
        Files.setPosixFilePermissions(checkout, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals(1, refused.status());
        assertTrue(refused.err().contains("may not write to " + checkout), refused.err());
        assertEquals(0, builds());
    }

    @Test
    void testsWithTheRightJdkAndPrintsTheSumOfAllModules() throws Exception {
        script(checkout.resolve("mvnw"), """
                echo "maven with $JAVA_HOME: $*"
                for level in INFO ERROR; do
                    echo '[INFO] Tests run: 5, Failures: 3, Errors: 1, Skipped: 2, Time elapsed: 0.1 s -- in a class'
                    echo "[$level] Tests run: 20, Failures: 3, Errors: 1, Skipped: 2"
                done
                exit 1
                """);
        Result tested = multimed(jdk("jdk-25", "25.0.3"), "test", "-pl", "multimed-a");
        assertEquals(1, tested.status(), "the status of Maven");
        assertTrue(tested.out().contains("jdk-25: -B -ntp --fail-at-end verify -pl multimed-a"), tested.out());
        assertTrue(tested.out().endsWith("Tests run: 40, Failures: 6, Errors: 2, Skipped: 4\n"), tested.out());
    }
}
