package io.multimed.endpoint.pg.transcript;

import io.multimed.testkit.conversation.MessageSyntax;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Messages of a client, as a transcript writes them: see {@link MessageSyntax}, and {@code Startup} and {@code CancelRequest}. */
final class ClientMessages {
    private ClientMessages() {}

    static byte[] bytes(String line) {
        String[] words = line.split(" ");
        return switch (words[0]) {
            case "Startup" -> {
                Map<String, String> parameters = new LinkedHashMap<>();
                for (int i = 1; i < words.length; i++) {
                    String[] parts = words[i].split("=", 2);
                    parameters.put(parts[0], parts[1]);
                }
                yield FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, parameters);
            }
            case "CancelRequest" ->
                FrontendBytes.cancel(Integer.parseInt(words[1]), HexFormat.of().parseHex(words[2]));
            default -> MessageSyntax.bytes(line);
        };
    }

    /**
     * Writes messages as a transcript does.
     *
     * @param first whether the first of them is the first on its connection
     */
    static List<String> lines(byte[] bytes, boolean first) {
        List<String> lines = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (first && in.remaining() >= 8) {
            byte[] body = new byte[in.getInt() - 8];
            int code = in.getInt();
            in.get(body);
            lines.add(
                    code == FrontendBytes.CANCEL_REQUEST
                            ? cancel(ByteBuffer.wrap(body))
                            : startup(ByteBuffer.wrap(body)));
        }
        while (in.hasRemaining()) {
            if (in.remaining() < 5 || in.remaining() < in.getInt(in.position() + 1) + 1) {
                byte[] rest = new byte[in.remaining()];
                in.get(rest);
                lines.add("part of a message x'" + HexFormat.of().formatHex(rest) + "'");
                break;
            }
            char type = (char) in.get();
            byte[] body = new byte[in.getInt() - 4];
            in.get(body);
            try {
                lines.add(line(type, ByteBuffer.wrap(body)));
            } catch (BufferUnderflowException unfinished) {
                lines.add("Raw " + type + " x'" + HexFormat.of().formatHex(body) + "'");
            }
        }
        return lines;
    }

    private static String cancel(ByteBuffer body) {
        return "CancelRequest " + body.getInt() + " " + HexFormat.of().formatHex(rest(body));
    }

    private static String startup(ByteBuffer body) {
        StringBuilder line = new StringBuilder("Startup");
        for (String name = Message.string(body); !name.isEmpty(); name = Message.string(body)) {
            line.append(' ').append(name).append('=').append(Message.string(body));
        }
        return line.toString();
    }

    private static byte[] rest(ByteBuffer body) {
        byte[] rest = new byte[body.remaining()];
        body.get(rest);
        return rest;
    }

    private static String line(char type, ByteBuffer body) {
        return switch (type) {
            case 'Q' -> "Query " + Message.string(body);
            case 'P' -> {
                String name = Message.string(body);
                String sql = Message.string(body);
                StringBuilder types = new StringBuilder();
                for (int i = body.getShort(); i > 0; i--) {
                    types.append(types.isEmpty() ? "types=" : ",").append(body.getInt());
                }
                yield "Parse " + named(name) + " " + (types.isEmpty() ? "" : types + " ") + sql;
            }
            case 'B' -> bind(body);
            case 'D' -> "Describe " + (char) body.get() + " " + named(Message.string(body));
            case 'C' -> "Close " + (char) body.get() + " " + named(Message.string(body));
            case 'E' -> "Execute " + named(Message.string(body)) + " " + body.getInt();
            case 'S' -> "Sync";
            case 'H' -> "Flush";
            case 'X' -> "Terminate";
            case 'd' -> "CopyData " + EngineMessages.quoted(new String(rest(body), StandardCharsets.UTF_8));
            case 'c' -> "CopyDone";
            case 'f' -> "CopyFail " + Message.string(body);
            default -> "Raw " + type + " x'" + HexFormat.of().formatHex(rest(body)) + "'";
        };
    }

    private static String bind(ByteBuffer body) {
        StringBuilder line = new StringBuilder("Bind ")
                .append(named(Message.string(body)))
                .append(' ')
                .append(named(Message.string(body)));
        String formats = numbers(body);
        for (int i = body.getShort(); i > 0; i--) {
            int length = body.getInt();
            if (length < 0) {
                line.append(" NULL");
            } else {
                byte[] value = new byte[length];
                body.get(value);
                line.append(' ').append(EngineMessages.quoted(new String(value, StandardCharsets.UTF_8)));
            }
        }
        String results = numbers(body);
        return line
                + (formats.isEmpty() ? "" : " formats=" + formats)
                + (results.isEmpty() ? "" : " results=" + results);
    }

    private static String numbers(ByteBuffer body) {
        List<String> numbers = new ArrayList<>();
        for (int i = body.getShort(); i > 0; i--) {
            numbers.add(String.valueOf(body.getShort()));
        }
        return String.join(",", numbers);
    }

    private static String named(String name) {
        return name.isEmpty() ? "-" : name;
    }
}
