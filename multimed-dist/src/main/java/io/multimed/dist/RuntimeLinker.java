package io.multimed.dist;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/** Links a runtime with the modules that the libraries need, of the JDK that runs this program. */
final class RuntimeLinker {
    /** Modules that libraries mention and do without: Jackson looks for annotations of java.beans. */
    private static final Set<String> DISPENSABLE = Set.of("java.desktop");

    private RuntimeLinker() {}

    static Set<String> modules(List<Path> libraries) throws DistException {
        String path = libraries.stream().map(Path::toString).collect(Collectors.joining(":"));
        // From the command all other libraries can be reached, but for one that OpenTelemetry looks up while it runs.
        List<String> line = new ArrayList<>(
                List.of("--ignore-missing-deps", "--multi-release", "25", "--print-module-deps", "--class-path", path));
        libraries.stream()
                .map(Path::toString)
                .filter(library ->
                        library.contains("multimed-cli-") || library.contains("opentelemetry-exporter-sender-"))
                .forEach(line::add);
        Set<String> modules = new TreeSet<>(List.of(run("jdeps", line).strip().split(",")));
        modules.removeAll(DISPENSABLE);
        return modules;
    }

    /** @param target must not exist */
    static void link(Set<String> modules, Path target) throws DistException {
        run(
                "jlink",
                List.of(
                        "--add-modules",
                        String.join(",", modules),
                        "--no-header-files",
                        "--no-man-pages",
                        "--output",
                        target.toString()));
    }

    private static String run(String tool, List<String> line) throws DistException {
        ToolProvider provider = ToolProvider.findFirst(tool)
                .orElseThrow(
                        () -> new DistException("the JDK in " + System.getProperty("java.home") + " has no " + tool));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = provider.run(new PrintWriter(out, true), new PrintWriter(err, true), line.toArray(String[]::new));
        if (status != 0) {
            String printed = (err.toString() + out).strip();
            throw new DistException(tool + " of the JDK in " + System.getProperty("java.home") + " failed: " + printed);
        }
        return out.toString();
    }
}
