package io.multimed.testkit.conversation;

import io.multimed.testkit.wire.FrontendBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the messages of a script to bytes; see the package's description. */
public final class MessageSyntax {
    private final String line;
    private int at;

    private MessageSyntax(String line) {
        this.line = line;
    }

    /** Whether the server answers this message with a ReadyForQuery. */
    public static boolean endsInReady(String line) {
        String word = line.split("\\s", 2)[0];
        return word.equals("Query") || word.equals("Sync") || word.equals("FunctionCall");
    }

    public static byte[] bytes(String line) {
        MessageSyntax syntax = new MessageSyntax(line);
        byte[] message = syntax.message(syntax.word());
        if (!syntax.rest().isBlank()) {
            throw new IllegalArgumentException("more than expected: " + line);
        }
        return message;
    }

    private byte[] message(String word) {
        return switch (word) {
            case "Query" -> FrontendBytes.query(remainder());
            case "Parse" -> {
                String name = name();
                int[] types = {};
                if (rest().startsWith("types=")) {
                    types = numbers("types=").stream().mapToInt(i -> i).toArray();
                }
                yield FrontendBytes.parse(name, remainder(), types);
            }
            case "Bind" -> bind(name(), name());
            case "Describe" -> FrontendBytes.describe(word().charAt(0), name());
            case "Close" -> FrontendBytes.close(word().charAt(0), name());
            case "Execute" -> FrontendBytes.execute(name(), Integer.parseInt(word()));
            case "Sync" -> FrontendBytes.sync();
            case "Flush" -> FrontendBytes.flush();
            case "Terminate" -> FrontendBytes.terminate();
            case "CopyData" -> FrontendBytes.copyData(bytesOrEmpty());
            case "CopyDone" -> FrontendBytes.copyDone();
            case "CopyFail" -> FrontendBytes.copyFail(remainder());
            case "FunctionCall" -> {
                int function = Integer.parseInt(word());
                List<@Nullable String> arguments = new ArrayList<>();
                while (!rest().isBlank()) {
                    byte[] value = value();
                    arguments.add(value == null ? null : new String(value, StandardCharsets.UTF_8));
                }
                yield FrontendBytes.functionCall(function, arguments.toArray(new String[0]));
            }
            case "Raw" -> FrontendBytes.message(word().charAt(0), rest().isBlank() ? new byte[0] : bytesOrEmpty());
            default -> throw new IllegalArgumentException("unknown message: " + line);
        };
    }

    private byte[] bind(String portal, String statement) {
        List<byte @Nullable []> values = new ArrayList<>();
        List<Integer> formats = List.of();
        List<Integer> results = List.of();
        while (!rest().isBlank()) {
            if (rest().startsWith("formats=")) {
                formats = numbers("formats=");
            } else if (rest().startsWith("results=")) {
                results = numbers("results=");
            } else {
                values.add(value());
            }
        }
        return FrontendBytes.bind(portal, statement, formats, values.toArray(new byte[0][]), results);
    }

    private List<Integer> numbers(String prefix) {
        return Arrays.stream(word().substring(prefix.length()).split(",", -1))
                .map(Integer::valueOf)
                .toList();
    }

    private byte[] bytesOrEmpty() {
        byte[] value = value();
        return value == null ? new byte[0] : value;
    }

    private byte @Nullable [] value() {
        String rest = rest();
        if (rest.startsWith("x'")) {
            int end = rest.indexOf('\'', 2);
            at = line.length() - rest.length() + end + 1;
            return HexFormat.of().parseHex(rest.substring(2, end));
        }
        if (rest.startsWith("'")) {
            return quoted(line.length() - rest.length() + 1).getBytes(StandardCharsets.UTF_8);
        }
        if (word().equals("NULL")) {
            return null;
        }
        throw new IllegalArgumentException("a value is 'text', x'00ff' or NULL: " + line);
    }

    private String quoted(int from) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\'') {
                at = i + 1;
                return text.toString();
            }
            if (c == '\\') {
                char escaped = line.charAt(++i);
                text.append(
                        switch (escaped) {
                            case 'n' -> '\n';
                            case 't' -> '\t';
                            case '0' -> '\0';
                            default -> escaped;
                        });
            } else {
                text.append(c);
            }
        }
        throw new IllegalArgumentException("the text does not end: " + line);
    }

    private String name() {
        String word = word();
        return word.equals("-") ? "" : word;
    }

    private String word() {
        String rest = rest();
        int end = 0;
        while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
            end++;
        }
        if (end == 0) {
            throw new IllegalArgumentException("something is missing: " + line);
        }
        at = line.length() - rest.length() + end;
        return rest.substring(0, end);
    }

    private String rest() {
        return line.substring(at).stripLeading();
    }

    private String remainder() {
        String rest = at < line.length() ? line.substring(at + 1) : "";
        at = line.length();
        return rest;
    }
}
