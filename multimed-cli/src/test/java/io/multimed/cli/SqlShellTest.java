package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.server.config.ListenAddress;
import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The built-in shell, on a running instance. */
@Tag("slow")
class SqlShellTest {
    private static TestDirectory parent;
    private static ProgramProcess up;
    private static URI endpoint;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void start() throws Exception {
        parent = new TestDirectory();
        String config = Files.writeString(
                        parent.resolve("test.toml"), "endpoint.listen = '127.0.0.1:0'\nmetrics.listen = 'off'\n")
                .toString();
        up = MULTIMED.start("up", "--dir", parent.resolve("home").toString(), "--satellites", "0", "--config", config);
        endpoint = URI.create(up.awaitLine().split(" ")[1]);
    }

    @AfterAll
    static void end() throws Exception {
        up.close();
        parent.close();
    }

    private int shell(Optional<String> command, String typed) {
        return new SqlShell(
                        endpoint.getHost(),
                        endpoint.getPort(),
                        "postgres",
                        "postgres",
                        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(command);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void explainTellsWhereAStatementWouldRun() throws Exception {
        String home = parent.resolve("home").toString();
        String read = MULTIMED.run(0, "explain", "--dir", home, "SELECT 1");
        assertTrue(read.startsWith("Runs on  master\nBecause  a read: no effect found\n"), read);
        String write = MULTIMED.run(0, "explain", "CREATE TABLE explained (id int)", "--dir", home);
        assertTrue(write.startsWith("Runs on  master\nBecause  may write: CREATE\n"), write);
        assertEquals("", MULTIMED.run(1, "explain", "SELEC 1", "--dir", home));
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        ListenAddress address = new ListenAddress(endpoint.getHost(), endpoint.getPort());
        assertEquals(1, ExplainCommand.explain(address, "postgres", "postgres", "SELECT 1 FORM x", errors, errors));
        assertTrue(errors().contains("Position: 15"), errors());
        assertEquals("", MULTIMED.run(1, "explain", "SELECT 1; CREATE TABLE explained (id int)", "--dir", home));
        assertEquals(1, shell(Optional.of("TABLE explained"), ""));
    }

    @Test
    void showsNumbersAtTheRightAndNothingForNull() {
        assertEquals(
                0,
                shell(Optional.of("SELECT 7 AS number, 'a' AS word, NULL AS none UNION ALL SELECT 12, 'bc', 'x'"), ""));
        assertEquals("""
                 number | word | none
                --------+------+------
                      7 | a    |
                     12 | bc   | x
                (2 rows)
                """, printed());
    }

    @Test
    void showsWhatThereIs() {
        shell(Optional.empty(), """
                CREATE TABLE "Shop" (id int PRIMARY KEY, name text DEFAULT 'it''s');
                CREATE VIEW shown AS SELECT 1;
                \\dt
                \\d
                \\d "Shop"
                \\l
                \\du
                """);
        assertEquals("", errors());
        for (String part : new String[] {
            "public | Shop | table | postgres\n(1 row)",
            "public | shown | view  | postgres",
            "name   | text    |          | 'it''s'::text",
            "CREATE UNIQUE INDEX \"Shop_pkey\"",
            "Shop_pkey  | PRIMARY KEY (id)",
            "template1 | postgres | UTF8",
            "postgres  | Superuser, Create role, Create DB",
        }) {
            assertTrue(printed().contains(part), part + " in " + printed());
        }
    }

    @Test
    void goesToAnotherDatabaseAndStaysWhereItIsWhenThereIsNone() {
        shell(Optional.empty(), """
                \\c nowhere
                SELECT current_database();
                \\c template1
                SELECT current_database()
                """);
        assertTrue(errors().contains("\"nowhere\" does not exist"), errors());
        assertTrue(
                printed().matches("(?s).* postgres\n.*connected to database \"template1\".* template1\n.*"), printed());
    }

    @Test
    void saysWhatItDoesNotKnow() {
        assertEquals(1, shell(Optional.of("\\dn+"), ""));
        assertTrue(errors().contains("the built-in shell does not know \\dn+; \\? tells what it knows"), errors());
        assertEquals(1, shell(Optional.of("\\d nothing"), ""));
        assertTrue(errors().contains("\"nothing\" does not exist"), errors());
        assertEquals(0, shell(Optional.of("\\?"), ""));
        assertTrue(printed().contains("\\du"), printed());
        assertEquals(0, shell(Optional.empty(), "\\q\nSELECT 'never'"));
        assertTrue(!printed().contains("never"));
    }

    private static ProgramProcess sql(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("sql", "--built-in", "--dir", parent.resolve("home").toString()));
        arguments.addAll(List.of(more));
        return MULTIMED.start(arguments.toArray(String[]::new));
    }

    private static void awaitSleeping() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:" + endpoint, "postgres", "");
                Statement statement = connection.createStatement()) {
            Await.until("a statement that sleeps", () -> {
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE state = 'active' AND query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()")) {
                    rows.next();
                    return rows.getInt(1) > 0;
                }
            });
        }
    }

    @Test
    void ctrlCInATerminalCancelsWhatRunsAndClearsWhatIsTyped() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no script(1) to make a terminal");
        try (ProgramProcess shell = MULTIMED.startInTerminal(
                "sql", "--built-in", "--dir", parent.resolve("home").toString())) {
            shell.awaitLineWith("helps");
            for (int round = 0; round < 2; round++) {
                shell.type("SELECT pg_sleep(600), pg_backend_pid();\n");
                awaitSleeping();
                shell.type("\u0003");
                shell.awaitLineWith("Cancel request sent");
                shell.awaitLineWith("canceling statement due to user request");
                shell.type("SELECT 'half a statement',\n");
                // The terminal may show the typed line before the prompt that it answers; both prompts then share a
                // line.
                Await.until("a prompt for more", () -> shell.unfinishedLine().endsWith("postgres-> "));
                shell.type("and a line");
                shell.type("\u0003");
                // The terminal may discard the prompt that follows Ctrl-C. A new line makes the shell prompt again.
                Await.until("the prompt for a new statement", () -> {
                    shell.type("\n");
                    return shell.unfinishedLine().endsWith("postgres=> ");
                });
                shell.type("SELECT 6 * 7 AS answer;\n");
                shell.awaitLineWith("42");
                shell.awaitLineWith("(1 row)");
            }
            shell.type("\\q\n");
            assertEquals(0, shell.awaitExit());
        }
    }

    @Test
    void ctrlCEndsACommandOrScriptByCancellingItsStatement() throws Exception {
        try (ProgramProcess shell = sql("-c", "SELECT pg_sleep(600)")) {
            awaitSleeping();
            shell.interrupt();
            assertEquals(1, shell.awaitExit());
            assertTrue(shell.errors().contains("canceling statement due to user request"), shell.errors());
        }
        try (ProgramProcess shell = sql()) {
            shell.type("SELECT pg_sleep(600);\nSELECT 'never';\n");
            awaitSleeping();
            shell.interrupt();
            assertEquals(SqlShell.INTERRUPTED_STATUS, shell.awaitExit());
            assertTrue(shell.errors().contains("canceling statement due to user request"), shell.errors());
            assertFalse(shell.printed().contains("never"));
        }
        try (ProgramProcess shell = sql()) {
            shell.type("SELECT 'a line';\n");
            shell.awaitLineWith("(1 row)");
            shell.interrupt();
            assertEquals(SqlShell.INTERRUPTED_STATUS, shell.awaitExit());
        }
    }
}
