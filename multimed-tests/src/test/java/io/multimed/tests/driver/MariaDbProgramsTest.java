package io.multimed.tests.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.tests.server.RunningMariaDb;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MariaDB's own clients show the same through Multimed as on the Master's socket. */
@Tag("slow")
@Timeout(180)
class MariaDbProgramsTest {
    private static final String SCRIPT = """
            CREATE DATABASE programs;
            USE programs;
            CREATE TABLE item (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) CHARACTER SET utf8mb4, price DECIMAL(8,2), at DATETIME(3), raw BLOB);
            INSERT INTO item (name, price, at, raw) VALUES ('eins', 1.10, '2026-01-02 03:04:05.678', x'00ff0a'), ('zwölf', 12, NULL, ''), (NULL, NULL, NULL, NULL);
            SELECT * FROM item;
            SELECT COUNT(*), SUM(price), GROUP_CONCAT(name ORDER BY id) FROM item\\G
            SELECT id FROM item WHERE price / 0 IS NULL;
            SHOW WARNINGS;
            SELECT * FROM missing;
            SELECT nonsense FROM item;
            INSERT INTO item (id) VALUES (1);
            UPDATE item SET price = price + 1 WHERE id < 3;
            SELECT ROW_COUNT(), LAST_INSERT_ID();
            BEGIN;
            DELETE FROM item WHERE id = 3;
            SELECT COUNT(*) FROM item;
            ROLLBACK;
            SELECT COUNT(*) FROM item;
            SET @a = 5, sql_mode = 'ANSI_QUOTES', time_zone = '+03:00';
            SELECT "name", @a FROM item WHERE id = 1;
            PREPARE s FROM 'SELECT name FROM item WHERE id = ?';
            SET @id = 2;
            EXECUTE s USING @id;
            DEALLOCATE PREPARE s;
            CREATE VIEW cheap AS SELECT id, name FROM item WHERE price < 5;
            SELECT * FROM cheap;
            DELIMITER //
            CREATE PROCEDURE twice(n INT) BEGIN SELECT n * 2 AS doubled; SELECT COUNT(*) FROM item; END//
            DELIMITER ;
            CALL twice(21);
            CREATE TEMPORARY TABLE mine AS SELECT id FROM item;
            SELECT COUNT(*) FROM mine;
            LOAD DATA LOCAL INFILE '@FILE@' INTO TABLE item (name, price);
            SELECT name, price FROM item WHERE id > 3 ORDER BY name;
            EXPLAIN SELECT * FROM item WHERE id = 1;
            SHOW TABLES;
            SHOW CREATE TABLE item;
            SELECT DATABASE();
            """;

    private static RunningMariaDb multimed;

    @TempDir
    private static Path files;

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMariaDb.start(1);
    }

    @AfterAll
    static void end() throws Exception {
        multimed.close();
    }

    private static List<String> throughMultimed() {
        return List.of(
                "--host=127.0.0.1", "--port=" + multimed.instance().address().getPort(), "--user=root", "--skip-ssl");
    }

    private static List<String> onMaster() {
        return List.of("--socket=" + multimed.nodes().getFirst().socket(), "--user=root", "--skip-ssl");
    }

    private static String run(Path input, List<String> where, String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(multimed.program(program), "--no-defaults"));
        command.addAll(where);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(input.toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output + "exit status " + process.exitValue();
    }

    private static String mariadb(List<String> where, Path script, String... arguments) throws Exception {
        return run(script, where, "mariadb", arguments);
    }

    private static void drop() throws Exception {
        mariadb(onMaster(), Files.writeString(files.resolve("drop"), "DROP DATABASE IF EXISTS programs"));
    }

    @Test
    void theCommandLineClientShowsTheSame() throws Exception {
        Path rows = Files.writeString(files.resolve("rows"), "drei\t3.30\nvier\t4\n");
        Path script = Files.writeString(files.resolve("script"), SCRIPT.replace("@FILE@", rows.toString()));
        String[] form = {"--force", "--table", "-vv", "--show-warnings", "--local-infile"};
        drop();
        String wanted = mariadb(onMaster(), script, form);
        drop();
        assertEquals(wanted, mariadb(throughMultimed(), script, form));
        assertTrue(wanted.contains("| eins") && wanted.contains("| drei"), wanted);
    }

    @Test
    void dumpsAreTheSameAndCanBeReadAgain() throws Exception {
        Path rows = Files.writeString(files.resolve("none"), "");
        mariadb(
                onMaster(),
                Files.writeString(files.resolve("fill"), SCRIPT.replace("@FILE@", rows.toString())),
                "--force",
                "--local-infile");
        String[] form = {"--single-transaction", "--routines", "--skip-dump-date", "--databases", "programs"};
        String wanted = run(rows, onMaster(), "mariadb-dump", form).replaceFirst("Host: \\S+", "");
        String dump = run(rows, throughMultimed(), "mariadb-dump", form).replaceFirst("Host: \\S+", "");
        assertEquals(wanted, dump);
        assertTrue(dump.contains("CREATE TABLE `item`") && dump.endsWith("exit status 0"), dump);
        drop();
        String read = mariadb(
                throughMultimed(),
                Files.writeString(files.resolve("dump"), dump.substring(0, dump.indexOf("exit status"))));
        assertEquals("exit status 0", read);
        assertEquals(wanted, run(rows, throughMultimed(), "mariadb-dump", form).replaceFirst("Host: \\S+", ""));
    }
}
