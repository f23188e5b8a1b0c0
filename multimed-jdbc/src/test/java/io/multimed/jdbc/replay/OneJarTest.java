package io.multimed.jdbc.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.ScriptedH2;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.jdbc.MultimedDriver;
import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.model.Freshness;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the driver as it is shipped, one jar with all of Multimed's classes, with a description and a program that use only public
 * types.
 */
@Tag("slow")
class OneJarTest {
    private static final long PATIENCE_SECONDS = 120;

    private static final String PROGRAM = """
            package shop;
            import java.sql.*;
            public final class Main {
                public static void main(String[] url) throws SQLException {
                    try (Connection connection = DriverManager.getConnection(url[0]);
                            Statement statement = connection.createStatement()) {
                        statement.execute("CREATE TABLE T(A INT)");
                        statement.execute("INSERT INTO T VALUES (7)");
                        try (ResultSet row = statement.executeQuery("SELECT A FROM T")) {
                            row.next();
                            System.out.println("read " + row.getInt(1));
                        }
                        try (ResultSet row = statement.executeQuery("SHOW multimed.route")) {
                            row.next();
                            System.out.println(row.getString(1));
                        }
                    }
                }
            }
            """;

    private static final String SCRIPTED = "jdbc:multimed:scripted:shop;replicas=2;propagation=statements";

    @TempDir
    Path directory;

    private static Path of(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** Makes the jar as the build's packaging does. */
    private Path jar() throws Exception {
        Path all = Files.createDirectories(directory.resolve("all"));
        List<Class<?>> modules = List.of(
                Freshness.class,
                io.multimed.core.writeset.UpdateTurns.class,
                EmbeddedDatabases.class,
                MultimedDriver.class);
        for (Class<?> module : modules) {
            Path from = of(module);
            if (Files.isDirectory(from)) {
                copy(from, all);
            } else {
                try (FileSystem packaged = FileSystems.newFileSystem(from)) {
                    copy(packaged.getPath("/"), all);
                }
            }
        }
        run(
                "javac",
                "-d",
                all.toString(),
                "--release",
                "17",
                "-proc:none",
                "--module-path",
                System.getProperty("java.class.path"),
                "--patch-module",
                "io.multimed.jdbc=" + all,
                "src/main/module/module-info.java");
        Path jar = directory.resolve("multimed-jdbc.jar");
        run("jar", "--create", "--file", jar.toString(), "-C", all.toString(), ".");
        return jar;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (!target.endsWith("META-INF/MANIFEST.MF")) {
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static void run(String tool, String... arguments) {
        assertEquals(0, ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, arguments), tool);
    }

    private Path compiled(String name, String pathOption, String path, Path... sources) {
        Path classes = directory.resolve(name);
        List<String> arguments = new ArrayList<>(List.of("-d", classes.toString(), "--release", "17", "-proc:none"));
        arguments.addAll(List.of(pathOption, path));
        Arrays.stream(sources).map(Path::toString).forEach(arguments::add);
        run("javac", arguments.toArray(String[]::new));
        return classes;
    }

    private Path source(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static Path description() {
        return Path.of("src/test/java", ScriptedH2.class.getName().replace('.', '/') + ".java");
    }

    private void assertReads(String url, String... arguments) throws Exception {
        assertEquals("read 7\nsatellite: a read by itself\n", said(url, arguments));
    }

    private String said(String url, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        command.add(url);
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "it ends");
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    @Test
    void onTheClassPath() throws Exception {
        String driver = jar() + File.pathSeparator + of(org.h2.Driver.class);
        Path engine = compiled("engine", "-cp", driver, description());
        source("engine/META-INF/services/" + JdbcEngine.class.getName(), ScriptedH2.class.getName());
        Path program = compiled("program", "-cp", driver, source("shop/Main.java", PROGRAM));
        assertReads(
                SCRIPTED,
                "-cp",
                String.join(File.pathSeparator, driver, engine.toString(), program.toString()),
                "shop.Main");
    }

    /** The driver's module declares that it uses descriptions. */
    @Test
    void onTheModulePath() throws Exception {
        String driver = jar() + File.pathSeparator + of(org.h2.Driver.class);
        Path engine =
                compiled("engine", "--module-path", driver, description(), source("described/module-info.java", """
                        module com.example.engine {
                            requires java.sql;
                            requires io.multimed.jdbc;
                            provides io.multimed.jdbc.engine.JdbcEngine with com.example.ScriptedH2;
                        }
                        """));
        Path program = compiled(
                "program",
                "--module-path",
                driver,
                source("shop/Main.java", PROGRAM),
                source("shop/module-info.java", """
                        module shop {
                            requires java.sql;
                            requires io.multimed.jdbc;
                        }
                        """));
        assertReads(
                SCRIPTED,
                "--module-path",
                String.join(File.pathSeparator, driver, engine.toString(), program.toString()),
                "--module",
                "shop/shop.Main");
    }

    /** The application uses {@code java.sql} alone; the driver is found as a service. */
    @Test
    void h2OnTheModulePath() throws Exception {
        assertEquals("read 7\nsatellite: a read by itself\n", onTheModulePath("h2:mem:shop", of(org.h2.Driver.class)));
    }

    /** HSQLDB's module does not export the classes that show a transaction's changes. */
    @Test
    void hsqldbOnTheModulePathIsRefusedWithWhatToDo() throws Exception {
        String said = onTheModulePath("hsqldb:mem:shop", of(org.hsqldb.jdbc.JDBCDriver.class));
        assertTrue(said.contains("put it and multimed-jdbc on the class path"), said);
    }

    private String onTheModulePath(String database, Path engine) throws Exception {
        Path program =
                compiled("program", "-cp", "", source("shop/Main.java", PROGRAM), source("shop/module-info.java", """
                        module shop {
                            requires java.sql;
                        }
                        """));
        return said(
                "jdbc:multimed:" + database + ";replicas=2",
                "--module-path",
                jar() + File.pathSeparator + engine + File.pathSeparator + program,
                "--add-modules",
                "ALL-MODULE-PATH",
                "--module",
                "shop/shop.Main");
    }

    @Test
    void exportsTheDriverAndTheDescriptionsAlone() throws Exception {
        ModuleDescriptor descriptor =
                ModuleFinder.of(jar()).find("io.multimed.jdbc").orElseThrow().descriptor();
        assertEquals(
                Set.of("io.multimed.jdbc", "io.multimed.jdbc.engine"),
                descriptor.exports().stream()
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet()));
        for (String exported : List.of("io/multimed/jdbc", "io/multimed/jdbc/engine")) {
            try (Stream<Path> classes = Files.list(directory.resolve("all").resolve(exported))) {
                List<String> open = new ArrayList<>();
                for (Path file : classes.filter(path -> path.toString().endsWith(".class"))
                        .toList()) {
                    String name = file.getFileName().toString().replace(".class", "");
                    if (!name.equals("package-info")
                            && Modifier.isPublic(Class.forName(
                                            exported.replace('/', '.') + "." + name,
                                            false,
                                            getClass().getClassLoader())
                                    .getModifiers())) {
                        open.add(name);
                    }
                }
                Collections.sort(open);
                assertEquals(
                        exported.endsWith("engine")
                                ? List.of(
                                        "Fate",
                                        "JdbcEngine",
                                        "JdbcEngine$Judge",
                                        "JdbcEngine$Reported",
                                        "Reading",
                                        "SqlRules")
                                : List.of(
                                        "DatabaseMXBean",
                                        "MultimedDataSource",
                                        "MultimedDriver",
                                        "MultimedXaDataSource",
                                        "NodeBean"),
                        open);
            }
        }
    }
}
