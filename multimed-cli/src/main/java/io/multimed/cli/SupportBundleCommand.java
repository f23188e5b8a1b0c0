package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import io.multimed.cli.command.Subcommand;
import io.multimed.engine.files.FileProblem;
import io.multimed.server.control.ControlClient;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.doctor.Finding;
import io.multimed.server.home.Home;
import io.multimed.server.report.InstanceReport;
import io.multimed.server.report.Redaction;
import io.multimed.server.startup.StartException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed support-bundle}: collects what helps others to find the cause of a problem, without secrets. */
final class SupportBundleCommand {
    private static final Option OUTPUT = Arguments.value(
            "output", "FILE", "The archive, which must not exist (default: multimed-support-TIME.zip here).");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    /** Most bytes of each log. */
    private static final int MOST_OF_LOG = 512 << 10;

    static final Subcommand COMMAND = new Subcommand(
            "support-bundle",
            "Collect what helps others to find the cause of a problem in a zip archive, without secrets."
                    + "\nVersions, the findings of doctor, the ends of the logs and the System Model; of a running instance also"
                    + " its status, configuration, metrics, threads and what SHOW shows. Passwords, literals of statements and"
                    + " parts of rows are removed; names of roles, databases and tables are not. Look at it before you pass it on.",
            List.of(DirectoryOption.DIR, DoctorCommand.CONFIG, OUTPUT),
            SupportBundleCommand::run);

    private SupportBundleCommand() {}

    private static int run(Arguments given) throws ParseException, StartException, InterruptedException {
        Home home = DirectoryOption.home(given);
        Path output = given.path(OUTPUT)
                .orElseGet(() ->
                        Path.of("multimed-support-" + TIME.format(ZonedDateTime.now(ZoneId.systemDefault())) + ".zip"));
        Map<String, String> files = new LinkedHashMap<>();
        files.put("versions.txt", versions());
        files.put("doctor.txt", Redaction.text(doctor(DoctorCommand.findings(given))));
        try {
            String report = ControlClient.ask(home.controlSocket(), home.directory(), ControlRequest.REPORT);
            files.putAll(InstanceReport.read(report));
        } catch (StartException notRunning) {
            files.put("not-running.txt", notRunning.getMessage() + "\n");
        }
        try {
            if (Files.exists(home.systemModel())) {
                files.put("system-model.toml", Redaction.text(Files.readString(home.systemModel())));
            }
            logs(home, files);
            write(output, files);
        } catch (IOException e) {
            throw new StartException("cannot collect " + output + ": " + FileProblem.of(e), e);
        }
        System.out.println(output.toAbsolutePath());
        return 0;
    }

    private static String versions() {
        return "Multimed " + Program.VERSION + "\nJava " + Runtime.version() + ", "
                + System.getProperty("java.vm.name") + "\n" + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + "\n";
    }

    private static String doctor(List<Finding> findings) {
        return findings.stream()
                .map(finding -> finding.grade().name().toLowerCase(Locale.ROOT) + " " + finding.subject() + ": "
                        + finding.text()
                        + finding.remedy().map(remedy -> " -> " + remedy).orElse(""))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static void logs(Home home, Map<String, String> files) throws IOException {
        if (!Files.isDirectory(home.logs(), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> logs;
        try (Stream<Path> entries = Files.list(home.logs())) {
            logs = entries.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
        for (Path log : logs) {
            files.put("log/" + log.getFileName(), Redaction.log(end(log)));
        }
    }

    /** Returns the last lines. The first is left out where it may be incomplete. */
    private static List<String> end(Path log) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long skipped = Math.max(0, file.length() - MOST_OF_LOG);
            byte[] bytes = new byte[(int) (file.length() - skipped)];
            file.seek(skipped);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .skip(skipped > 0 ? 1 : 0)
                    .toList();
        }
    }

    private static void write(Path output, Map<String, String> files) throws IOException {
        Files.createFile(output, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(output), StandardCharsets.UTF_8)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry("multimed-support/" + file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
    }
}
