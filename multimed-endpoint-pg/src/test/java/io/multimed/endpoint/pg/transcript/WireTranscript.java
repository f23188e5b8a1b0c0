package io.multimed.endpoint.pg.transcript;

import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.StatementClassifier;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;

/** A transcript, and one playing of it: see the package's description. */
final class WireTranscript {
    /** Serves all transcripts: each shape is parsed once. */
    private static final StatementClassifier CLASSIFIER = new StatementClassifier(ClassifierOptions.DEFAULT);

    /** Messages of all transcripts as bytes, by the letter of their side and their text. */
    private static final Map<String, byte[]> ENCODED = new ConcurrentHashMap<>();

    /** The Master's answer to the question that Multimed asks at a login. */
    private static final List<String> NOTHING_SET = List.of(
            "CommandComplete SET", "RowDescription name setting", "CommandComplete SELECT 0", "ReadyForQuery I");
    /** Inputs are not cut. */
    private static final int WHOLE = 0;
    /** Each byte of an input arrives by itself. */
    private static final int BYTE_BY_BYTE = -1;
    /** Each input arrives in two halves. */
    private static final int HALVES = -2;

    private final List<TranscriptStep> steps;
    private final ScriptedEndpoint endpoint;
    private final int cut;
    /** Everything that has happened, in the notation of transcripts. */
    private final StringBuilder record = new StringBuilder();
    /** Messages that connections have received and no step has stated yet. */
    private final Map<String, ByteArrayOutputStream> received = new LinkedHashMap<>();

    private final Map<String, Boolean> beforeFirst = new HashMap<>();
    private final Map<String, Boolean> closeStated = new HashMap<>();
    private final Map<String, byte[]> keys = new HashMap<>();
    private byte[] latest = {};
    private int longest;

    private WireTranscript(Scene scene, List<TranscriptStep> steps, int cut) {
        this.steps = steps;
        this.cut = cut;
        endpoint = new ScriptedEndpoint(scene, CLASSIFIER, this::connected);
    }

    static void play(String text) {
        play(Scene.USUAL, text);
    }

    /** Plays the transcript with its inputs whole, cut, and byte by byte. */
    static void play(Scene scene, String text) {
        play(scene, text, endpoint -> {});
    }

    /** @param afterwards checks the endpoint after each playing */
    static void play(Scene scene, String text, Consumer<ScriptedEndpoint> afterwards) {
        List<TranscriptStep> steps = TranscriptStep.of(text);
        if (Boolean.getBoolean("multimed.transcript.record")) {
            System.out.println(new WireTranscript(scene, steps, WHOLE).recorded());
            return;
        }
        int longest = new WireTranscript(scene, steps, WHOLE).play(afterwards);
        new WireTranscript(scene, steps, HALVES).play(afterwards);
        for (int cut = 1; cut < longest && Boolean.getBoolean("multimed.transcript.cuts"); cut++) {
            new WireTranscript(scene, steps, cut).play(afterwards);
        }
        new WireTranscript(scene, steps, BYTE_BY_BYTE).play(afterwards);
    }

    private void connected(String name) {
        received.put(name, new ByteArrayOutputStream());
        beforeFirst.put(name, true);
    }

    /** @return the length of the longest input */
    private int play(Consumer<ScriptedEndpoint> afterwards) {
        try {
            for (TranscriptStep step : steps) {
                if (!step.isStatement()) {
                    nothingUnstated(step);
                }
                perform(step);
                collect();
            }
            nothingUnstated(null);
            afterwards.accept(endpoint);
        } catch (RuntimeException failure) {
            throw new AssertionError(failure.getMessage() + where(), failure);
        }
        endpoint.close();
        return longest;
    }

    /** Plays the inputs only, and returns a transcript with what comes out. */
    private String recorded() {
        for (TranscriptStep step : steps) {
            if (!step.isStatement()) {
                try {
                    perform(step);
                } catch (AssertionError failure) {
                    return record + "!!! " + failure.getMessage() + "\n";
                }
                collect();
                for (String name : List.copyOf(received.keySet())) {
                    takeForRecord(name);
                }
            }
        }
        endpoint.close();
        return record.toString();
    }

    private void takeForRecord(String name) {
        boolean first = beforeFirst.getOrDefault(name, false);
        byte[] bytes = pending(name).toByteArray();
        if (bytes.length > 0) {
            String text = text(name, bytes);
            boolean stated = steps.stream().anyMatch(step -> step.text().startsWith(name + " <- Startup"));
            if (ScriptedEndpoint.isEngine(name) && first && text.startsWith("Startup") && !stated) {
                perform(new TranscriptStep(0, name + " opens"));
                collect();
                takeForRecord(name);
                return;
            }
            pending(name).reset();
            beforeFirst.put(name, false);
            record.append(name)
                    .append(" <- ")
                    .append(Arrays.equals(bytes, latest) ? "same" : abbreviated(text))
                    .append('\n');
        }
        if (!endpoint.channel(name).isOpen() && closeStated.put(name, true) == null) {
            record.append(name).append(" <- closed\n");
        }
    }

    /** Cuts long statements of Multimed's own. */
    private static String abbreviated(String text) {
        List<String> parts = new ArrayList<>();
        for (String part : text.split(" \\| ")) {
            parts.add(part.length() > 170 ? part.substring(0, 80) + "..." : part);
        }
        return String.join(" | ", parts);
    }

    private String where() {
        return "\n"
                + switch (cut) {
                    case WHOLE -> "";
                    case BYTE_BY_BYTE -> "with inputs byte by byte\n";
                    case HALVES -> "with inputs in halves\n";
                    default -> "with inputs cut behind byte " + cut + "\n";
                }
                + "it went:\n" + record;
    }

    private void nothingUnstated(@Nullable TranscriptStep next) {
        String before = next == null ? "at the end" : "before line " + next.line() + " (" + next.text() + ")";
        received.forEach((name, bytes) -> {
            if (bytes.size() > 0) {
                throw new AssertionError(
                        before + " " + name + " has received: " + text(name, bytes.toByteArray()) + where());
            }
            if (!endpoint.channel(name).isOpen() && !closeStated.containsKey(name)) {
                throw new AssertionError(before + " " + name + " was closed" + where());
            }
        });
    }

    private void collect() {
        received.forEach(
                (name, bytes) -> bytes.writeBytes(endpoint.channel(name).takeSent()));
    }

    private ByteArrayOutputStream pending(String name) {
        endpoint.channel(name);
        return received.computeIfAbsent(name, unknown -> new ByteArrayOutputStream());
    }

    private String text(String name, byte[] bytes) {
        return String.join(
                " | ",
                ScriptedEndpoint.isEngine(name)
                        ? ClientMessages.lines(bytes, beforeFirst.getOrDefault(name, false))
                        : EngineMessages.lines(bytes));
    }

    private void perform(TranscriptStep step) {
        String[] words = step.text().split(" ");
        String name = words[0];
        String verb = words.length > 1 ? words[1] : "";
        if (!verb.equals("<-")) {
            record.append(step.text()).append('\n');
        }
        switch (verb) {
            case "->" -> send(name, bytes(step.messages(), !ScriptedEndpoint.isEngine(name)));
            case "<-" -> receive(step, name);
            case "begins" -> {
                byte[] message = ClientMessages.bytes(step.text().split(" begins ", 2)[1]);
                endpoint.channel(name).send(message, 0, message.length - 1);
                endpoint.run();
            }
            case "logs" ->
                logIn(
                        name,
                        step.text()
                                .substring(step.text().indexOf("logs in") + 7)
                                .strip());
            case "opens" -> open(name, step);
            case "connects" -> connect(name);
            case "cancels" -> cancel(name);
            case "stops" -> endpoint.channel(name).stopReading(true);
            case "reads" -> {
                endpoint.channel(name).stopReading(false);
                endpoint.run();
            }
            case "closes" -> {
                closeStated.put(name, true);
                endpoint.channel(name).closeOtherEnd();
                endpoint.run();
            }
            default -> {
                if (name.equals("time")) {
                    endpoint.advance(duration(verb).toNanos());
                } else if (!endpoint.perform(words)) {
                    throw new IllegalArgumentException("line " + step.line() + " is no step: " + step.text());
                }
            }
        }
    }

    private static Duration duration(String text) {
        return Duration.parse("PT"
                + (text.endsWith("ms")
                        ? "0." + "%03d".formatted(Integer.parseInt(text.replace("ms", ""))) + "s"
                        : text));
    }

    private byte[] bytes(List<String> messages, boolean ofClient) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String message : messages) {
            if (message.equals("same")) {
                all.writeBytes(latest);
            } else {
                all.writeBytes(ENCODED.computeIfAbsent(
                        (ofClient ? "c" : "e") + message,
                        unknown -> ofClient ? ClientMessages.bytes(keyed(message)) : EngineMessages.bytes(message)));
            }
        }
        return all.toByteArray();
    }

    /** Replaces the name of an engine's connection in a CancelRequest by its key. */
    private static String keyed(String message) {
        String[] words = message.split(" ");
        if (words[0].equals("CancelRequest") && words.length == 2) {
            return "CancelRequest " + EngineGreeting.key(words[1]);
        }
        return message;
    }

    /** Sends what no transcript is about. */
    private void sendWhole(String name, byte[] bytes) {
        endpoint.channel(name).send(bytes, 0, bytes.length);
        endpoint.run();
    }

    private void send(String name, byte[] bytes) {
        longest = Math.max(longest, bytes.length);
        latest = bytes;
        int first = switch (cut) {
            case WHOLE -> bytes.length;
            case BYTE_BY_BYTE -> bytesOfPiece(bytes);
            case HALVES -> (bytes.length + 1) / 2;
            default -> Math.min(cut, bytes.length);
        };
        ScriptedChannel channel = endpoint.channel(name);
        for (int at = 0; at < bytes.length; ) {
            int end = at == 0 ? first : cut == BYTE_BY_BYTE ? Math.min(bytes.length, at + first) : bytes.length;
            channel.send(bytes, at, end);
            endpoint.run();
            at = end;
        }
    }

    /** Returns one, unless there are very many. */
    private static int bytesOfPiece(byte[] bytes) {
        return 1 + bytes.length / 5_000;
    }

    private void receive(TranscriptStep step, String name) {
        if (step.text().endsWith("<- closed")) {
            if (endpoint.channel(name).isOpen()) {
                throw new AssertionError("line " + step.line() + ": " + name + " is still open" + where());
            }
            closeStated.put(name, true);
            record.append(step.text()).append('\n');
            return;
        }
        boolean engine = ScriptedEndpoint.isEngine(name);
        ByteArrayOutputStream pending = pending(name);
        byte[] all = pending.toByteArray();
        int at = 0;
        for (String part : step.messages()) {
            boolean first = beforeFirst.getOrDefault(name, false) && at == 0;
            if (part.endsWith("...")) {
                int length = Math.min(all.length, at + lengthOfMessage(all, at, first)) - at;
                String message = text(name, Arrays.copyOfRange(all, at, at + length));
                if (!message.startsWith(part.substring(0, part.length() - 3))) {
                    different(step, name, part, Arrays.copyOfRange(all, at, all.length));
                }
                at += length;
                continue;
            }
            byte[] expected = bytes(List.of(part), engine);
            byte[] actual = Arrays.copyOfRange(all, at, Math.min(all.length, at + expected.length));
            if (!Arrays.equals(expected, actual)) {
                different(step, name, text(name, expected), Arrays.copyOfRange(all, at, all.length));
            }
            at += expected.length;
        }
        pending.reset();
        pending.write(all, at, all.length - at);
        beforeFirst.put(name, false);
        record.append(step.text()).append('\n');
    }

    private static int lengthOfMessage(byte[] all, int at, boolean first) {
        ByteBuffer in = ByteBuffer.wrap(all);
        int header = first ? 0 : 1;
        return all.length - at < header + 4 ? 0 : in.getInt(at + header) + header;
    }

    private void different(TranscriptStep step, String name, String expected, byte[] actual) {
        Assertions.assertEquals(
                expected.replace(" | ", "\n"),
                text(name, actual).replace(" | ", "\n"),
                "line " + step.line() + ": " + name + " has received something else" + where());
        throw new AssertionError("line " + step.line() + ": other bytes, though the text is the same" + where());
    }

    // --- connections

    private void open(String name, TranscriptStep step) {
        byte[] packet = pending(name).toByteArray();
        String text = text(name, packet);
        if (!text.startsWith("Startup ")) {
            throw new AssertionError("line " + step.line() + ": " + name + " is not opening: " + text + where());
        }
        pending(name).reset();
        beforeFirst.put(name, false);
        sendWhole(name, bytes(EngineGreeting.messages(name), false));
    }

    private void connect(String name) {
        endpoint.connect(name);
        received.put(name, new ByteArrayOutputStream());
    }

    private void logIn(String name, String parameters) {
        connect(name);
        sendWhole(
                name,
                ClientMessages.bytes("Startup user=u database=d" + (parameters.isEmpty() ? "" : " " + parameters)));
        collect();
        for (String engine : List.copyOf(received.keySet())) {
            if (beforeFirst.getOrDefault(engine, false)) {
                open(engine, new TranscriptStep(0, engine + " opens"));
                collect();
                pending(engine).reset();
                sendWhole(engine, bytes(NOTHING_SET, false));
                collect();
            }
        }
        List<String> greeting = EngineMessages.lines(pending(name).toByteArray());
        for (String line : greeting) {
            if (line.startsWith("BackendKeyData ")) {
                keys.put(name, ClientMessages.bytes(line.replace("BackendKeyData", "CancelRequest")));
            }
        }
        if (!greeting.getLast().equals("ReadyForQuery I")) {
            throw new AssertionError(name + " was not greeted: " + greeting + where());
        }
        pending(name).reset();
    }

    private void cancel(String name) {
        byte[] request = keys.get(name);
        if (request == null) {
            throw new AssertionError(name + " has no key");
        }
        String canceller = name + "'s request";
        endpoint.connect(canceller);
        endpoint.channel(canceller).send(request, 0, request.length);
        endpoint.run();
    }
}
