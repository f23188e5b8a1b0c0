package io.multimed.testkit.calls;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * The calls of Multimed's own methods that one repetition of some work takes, constructors included. Recorded by the method
 * tracing of Java Flight Recorder (JEP 520).
 */
public final class CallTrace {
    private static final String OWN = "io/multimed/";
    private static final String[] OTHERS = {"io/multimed/testkit/", "io/multimed/tests/"};

    private final List<Call> calls;

    private CallTrace(List<Call> calls) {
        this.calls = calls;
    }

    /**
     * One call.
     *
     * @param type the class of the method called
     * @param method its name
     * @param depth number of Multimed's own frames above it
     * @param caller the class of Multimed's that called it, perhaps through library code; "" if there is none
     */
    public record Call(String type, String method, int depth, String caller) {}

    /**
     * Records several repetitions in all threads of this JVM, and keeps the one with the fewest calls, since tasks that run now and
     * then may join the others.
     *
     * @param ignored names of methods whose calls are left out with all that they call, such as those of assertions
     * @param work one repetition; it must have been repeated before, so that nothing is new to what it calls
     */
    public static CallTrace ofFewest(int repetitions, Set<String> ignored, Callable<?> work) throws Exception {
        return ofFewest(repetitions, call -> !isWithin(call, ignored), work);
    }

    /**
     * Records several repetitions of work that the calling thread alone does, and keeps the one with the fewest calls. A Multimed
     * that runs in the same JVM does not count.
     *
     * @param work one repetition; it must have been repeated before, so that nothing is new to what it calls
     */
    public static CallTrace ofFewestOnThisThread(int repetitions, Callable<?> work) throws Exception {
        long thread = Thread.currentThread().threadId();
        return ofFewest(
                repetitions,
                call -> call.getThread() != null && call.getThread().getJavaThreadId() == thread,
                work);
    }

    private static CallTrace ofFewest(int repetitions, Predicate<RecordedEvent> counts, Callable<?> work)
            throws Exception {
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.MethodTrace")
                    .with("filter", String.join(";", ownClasses()))
                    .with("threshold", "0 ms")
                    .withStackTrace();
            recording.start();
            List<Instant> bounds = new ArrayList<>();
            for (int i = 0; i < repetitions; i++) {
                Thread.sleep(5); // calls behind the last reply belong to the repetition before
                bounds.add(Instant.now());
                work.call();
            }
            Thread.sleep(5);
            bounds.add(Instant.now());
            recording.stop();
            Path file = Files.createTempFile("calls", ".jfr");
            try {
                recording.dump(file);
                return fewest(RecordingFile.readAllEvents(file), bounds, counts);
            } finally {
                Files.delete(file);
            }
        }
    }

    private static CallTrace fewest(List<RecordedEvent> events, List<Instant> bounds, Predicate<RecordedEvent> counts) {
        events.sort(Comparator.comparing(RecordedEvent::getStartTime)
                .thenComparing(RecordedEvent::getEndTime, Comparator.reverseOrder()));
        CallTrace fewest = null;
        for (int i = 0; i + 1 < bounds.size(); i++) {
            Instant from = bounds.get(i);
            Instant to = bounds.get(i + 1);
            List<Call> calls = new ArrayList<>();
            for (RecordedEvent event : events) {
                if (!event.getStartTime().isBefore(from) && event.getStartTime().isBefore(to) && counts.test(event)) {
                    calls.add(call(event));
                }
            }
            if (!calls.isEmpty() && (fewest == null || calls.size() < fewest.calls.size())) {
                fewest = new CallTrace(calls);
            }
        }
        if (fewest == null) {
            throw new IllegalStateException("no call was recorded");
        }
        return fewest;
    }

    private static boolean isWithin(RecordedEvent event, Set<String> methods) {
        RecordedMethod method = event.getValue("method");
        return methods.contains(method.getName())
                || (event.getStackTrace() != null
                        && event.getStackTrace().getFrames().stream()
                                .anyMatch(frame ->
                                        methods.contains(frame.getMethod().getName())));
    }

    private static Call call(RecordedEvent event) {
        RecordedMethod method = event.getValue("method");
        String caller = "";
        int depth = 0;
        if (event.getStackTrace() != null) {
            List<RecordedFrame> frames = event.getStackTrace().getFrames();
            // The stack begins at the caller.
            for (RecordedFrame frame : frames) {
                String type = frame.getMethod().getType().getName();
                if (isOwn(type.replace('.', '/'))) {
                    if (depth == 0) {
                        caller = type;
                    }
                    depth++;
                }
            }
        }
        return new Call(method.getType().getName(), method.getName(), depth, caller);
    }

    private static List<String> ownClasses() throws IOException {
        List<String> found = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (entry.endsWith("test-classes")) {
                continue;
            }
            if (Files.isDirectory(path)) {
                addOwn(path, found);
            } else if (path.getFileName() != null
                    && path.getFileName().toString().startsWith("multimed-")) {
                try (FileSystem jar = FileSystems.newFileSystem(path)) {
                    addOwn(jar.getPath("/"), found);
                }
            }
        }
        return found;
    }

    private static void addOwn(Path root, List<String> found) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && isOwn(name))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> !isRecord(name))
                    .forEach(found::add);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isRecord(String name) {
        try {
            return Class.forName(name, false, CallTrace.class.getClassLoader()).isRecord();
        } catch (ClassNotFoundException | LinkageError e) {
            return true;
        }
    }

    private static boolean isOwn(String name) {
        for (String other : OTHERS) {
            if (name.startsWith(other)) {
                return false;
            }
        }
        return name.startsWith(OWN);
    }

    /** Number of calls. */
    public int calls() {
        return calls.size();
    }

    /** Number of classes called, nested classes counted with the class that encloses them. */
    public int classes() {
        return (int) calls.stream().map(call -> outer(call.type())).distinct().count();
    }

    /** Number of calls from one package to another. */
    public int acrossPackages() {
        return (int) calls.stream()
                .filter(call -> !call.caller().isEmpty() && !room(call.caller()).equals(room(call.type())))
                .count();
    }

    private static String outer(String type) {
        int nested = type.indexOf('$');
        return nested < 0 ? type : type.substring(0, nested);
    }

    private static String room(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    /** All calls in the order in which they began, those within a call indented. */
    public String tree() {
        StringBuilder out = new StringBuilder();
        for (Call call : calls) {
            out.append("  ".repeat(call.depth()))
                    .append(call.type().substring(call.type().lastIndexOf('.') + 1))
                    .append('.')
                    .append(call.method())
                    .append('\n');
        }
        return out.toString();
    }

    /** The classes called with the number of calls of each, most first. */
    public String byClass() {
        Map<String, Integer> counts = new HashMap<>();
        for (Call call : calls) {
            counts.merge(outer(call.type()), 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining("\n"));
    }
}
