package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.cli.command.Program;
import io.multimed.server.Multimed;
import io.multimed.testkit.process.ProgramProcess;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Arguments that the command line accepts, refuses and explains, before any command does its work. */
@Tag("slow")
class CommandLineTest {
    /** Returns a help text without its line breaks. */
    private static String help(String... arguments) throws Exception {
        return MULTIMED.run(0, arguments).replaceAll("\\s+", " ");
    }

    /**
     * Asserts that a command is refused with status 2, a first line of Multimed's own and all of the patterns {@code told}
     * somewhere.
     */
    private static void assertMisused(List<String> told, String... arguments) throws Exception {
        try (ProgramProcess command = MULTIMED.start(arguments)) {
            assertEquals(2, command.awaitExit(), command.errors());
            assertEquals("", command.printed());
            String errors = command.errors();
            assertTrue(errors.startsWith("multimed: "), errors);
            for (String part : told) {
                assertTrue(
                        Pattern.compile(part)
                                .matcher(errors.toLowerCase(Locale.ROOT))
                                .find(),
                        part + " in " + errors);
            }
        }
    }

    private static void assertRefused(String told, String... arguments) throws Exception {
        try (ProgramProcess command = MULTIMED.start(arguments)) {
            assertEquals(1, command.awaitExit(), command.errors());
            assertTrue(command.errors().contains(told), told + " in " + command.errors());
        }
    }

    @Test
    void helpNamesEveryCommandButTheLaunchersOwn() throws Exception {
        String help = MULTIMED.run(0, "help");
        assertEquals(help, MULTIMED.run(0, "--help"));
        assertEquals(help, MULTIMED.run(0, "-h"));
        for (String command : List.of(
                "up",
                "status",
                "down",
                "sql",
                "explain",
                "plan",
                "lean",
                "doctor",
                "support-bundle",
                "demo",
                "bench",
                "dist",
                "help")) {
            assertTrue(help.lines().anyMatch(line -> line.matches(" +" + command + " +[A-Z].*")), command + help);
        }
        for (String option :
                List.of("-h, --help", "-V, --version", "multimed test", "multimed build", "multimed jdk")) {
            assertTrue(help.contains(option), option + help);
        }
        assertFalse(help.contains("warm-up"), help);
        assertFalse(help.contains("ready postgresql:"), "only the first line of what a command explains" + help);
    }

    @Test
    void withoutACommandHelpGoesToStandardError() throws Exception {
        try (ProgramProcess command = MULTIMED.start()) {
            assertEquals(0, command.awaitExit());
            assertEquals("", command.printed());
            assertEquals(MULTIMED.run(0, "help"), command.errors());
        }
    }

    @Test
    void everyCommandExplainsItsOptions() throws Exception {
        String up = help("help", "up");
        assertEquals(up, help("up", "--help"));
        assertEquals(up, help("up", "-h", "--satellites", "1"));
        for (String part : List.of(
                "multimed up ",
                "Start the Master and its Satellites and serve, in the foreground.",
                "--dir=DIR Directory of the instance",
                "local/share/multimed, or /var/lib/multimed as root)",
                "--config=FILE Configuration (default: DIR/multimed.toml, if there).",
                "--satellites=N How many Satellites (default: by cores and memory).",
                "--satellite-storage=memory|disk ",
                "--middleware-cores=N Physical cores",
                "--master-cores=N Physical cores",
                "--listen=HOST:PORT Where clients connect (default: 127.0.0.1:7432).",
                "--engine-bin=DIR Programs of an installed PostgreSQL 15 to 18",
                "-h, --help ")) {
            assertTrue(up.contains(part), part + " in " + up);
        }
        assertTrue(help("help", "status").contains("--json As one JSON object."));
        assertTrue(help("help", "down").contains("--dir=DIR "));
        assertTrue(help("help", "plan").contains("--topology=FILE|DIR|PRESET "));
        assertFalse(help("help", "plan").contains("DIR/multimed.toml"), "which it never reads");
        String sql = help("help", "sql");
        for (String part : List.of(
                "-d, --dbname=NAME Database (default: postgres).",
                "-U, --username=NAME Role (default: postgres).",
                "-c, --command=SQL Execute this and end.",
                "--built-in ")) {
            assertTrue(sql.contains(part), part + " in " + sql);
        }
    }

    /** Terminals have at least 80 columns; descriptions start in one column. */
    @Test
    void helpIsAlignedAndFitsATerminal() throws Exception {
        for (String command : List.of("up", "status", "down", "sql", "plan", "lean")) {
            String help = MULTIMED.run(0, "help", command);
            assertTrue(help.lines().allMatch(line -> line.length() <= 80), help);
        }
        List<Integer> columns = MULTIMED.run(0, "help", "sql")
                .lines()
                .filter(line -> line.matches(" +-.* {2,}[A-Z].*"))
                .map(line -> line.replaceFirst("(.* {2,})[A-Z].*", "$1").length())
                .distinct()
                .toList();
        assertEquals(1, columns.size(), columns.toString());
    }

    @Test
    void failsWhereWhatItPrintsIsLost() throws Exception {
        try (ProgramProcess command = MULTIMED.startWithFullOutput("plan", "--topology", "vm-2")) {
            assertEquals(1, command.awaitExit());
            assertEquals("multimed: standard output cannot be written", command.errors());
        }
    }

    @Test
    void tellsItsVersion() throws Exception {
        assertEquals(Multimed.VERSION, Program.VERSION);
        assertEquals("multimed 0.1.0-SNAPSHOT", MULTIMED.run(0, "--version"));
        assertEquals("multimed 0.1.0-SNAPSHOT", MULTIMED.run(0, "-V"));
        assertEquals("multimed 0.1.0-SNAPSHOT", MULTIMED.run(0, "--version", "up", "--dir", "x"));
        assertTrue(help("help", "--help").contains("multimed"));
    }

    @Test
    void whatDoesNotExistIsNamedWithWhatMayHaveBeenMeant() throws Exception {
        assertMisused(List.of("'upp'", "mean.*\\bup\\b"), "upp");
        assertMisused(List.of("'--satelites'", "--satellites"), "up", "--satelites", "1");
        assertMisused(List.of("'--jsn'", "--json"), "status", "--jsn");
        assertMisused(List.of("'--nonsense'"), "--nonsense");
        assertMisused(List.of("'more'"), "status", "more");
        assertMisused(List.of("'upp'"), "help", "upp");
    }

    @Test
    void aValueThatIsMissingWrongOrGivenTwiceIsRefusedByItsOption() throws Exception {
        assertMisused(List.of("--dir"), "status", "--dir");
        assertMisused(List.of("--dir"), "status", "--dir", "--json");
        assertMisused(List.of("--dir: needs a value, dir"), "up", "--dir", "");
        assertMisused(List.of("--config: needs a value, file"), "up", "--config=");
        assertMisused(List.of("--command"), "sql", "-c");
        assertMisused(List.of("--satellites", "'x'"), "up", "--satellites", "x");
        assertMisused(List.of("--satellites", "'1.5'"), "plan", "--satellites=1.5");
        assertMisused(List.of("--satellite-storage", "'tape'", "memory", "disk"), "up", "--satellite-storage", "tape");
        assertMisused(List.of("--json", "'x'|no value"), "status", "--json=x");
        assertMisused(List.of("--json", "once"), "status", "--json", "--json");
        assertMisused(List.of("--dir", "once"), "status", "--dir", "a", "--dir", "b");
    }

    @Test
    void valuesAreTakenInEveryUsualFormAndAsTheyAre() throws Exception {
        assertEquals(
                MULTIMED.run(0, "plan", "--topology", "xeon-2s", "--satellites", "1", "--satellite-storage", "disk"),
                MULTIMED.run(0, "plan", "--topology=xeon-2s", "--satellites=1", "--satellite-storage=DISK"));
        assertRefused("/\"quoted name\"", "status", "--dir", "\"quoted name\"");
        assertRefused("no Multimed runs on /nowhere", "sql", "-dshop", "-U=me", "-c", "SELECT 1", "--dir=/nowhere");
        assertRefused("no Multimed runs on /nowhere", "sql", "-c", "-- a comment", "--dir", "/nowhere");
    }
}
