package io.multimed.endpoint.pg.transcript;

import io.multimed.testkit.wire.FrontendBytes.Bytes;
import io.multimed.testkit.wire.Message;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Messages of an engine, as a transcript writes them: the name in the PostgreSQL manual and the contents. {@code Result a '1' '2'} stands for
 * all messages of a result with one column, {@code LongRow 1000} for a row with a value of that length, and {@code Left work_mem=4MB} for the answer to Multimed's question what a transaction has left.
 */
final class EngineMessages {
    private static final Pattern WORD = Pattern.compile("(?:[A-Za-z]=)?x?'(?:[^'\\\\]|\\\\.)*'|\\S+");
    private static final int TEXT = 25;

    private EngineMessages() {}

    static byte[] bytes(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group());
        }
        String name = words.removeFirst();
        String rest = line.substring(Math.min(line.length(), line.indexOf(name) + name.length() + 1));
        return switch (name) {
            case "AuthenticationOk" -> message('R', new Bytes().int32(0));
            case "BackendKeyData" ->
                message(
                        'K',
                        new Bytes()
                                .int32(Integer.parseInt(words.get(0)))
                                .bytes(HexFormat.of().parseHex(words.get(1))));
            case "ParameterStatus" -> {
                String[] parts = rest.split("=", 2);
                yield message('S', new Bytes().string(parts[0]).string(parts[1]));
            }
            case "ReadyForQuery" -> message('Z', new Bytes().int8(words.get(0).charAt(0)));
            case "ParseComplete" -> message('1', new Bytes());
            case "BindComplete" -> message('2', new Bytes());
            case "CloseComplete" -> message('3', new Bytes());
            case "NoData" -> message('n', new Bytes());
            case "PortalSuspended" -> message('s', new Bytes());
            case "EmptyQueryResponse" -> message('I', new Bytes());
            case "CopyDone" -> message('c', new Bytes());
            case "CommandComplete" -> message('C', new Bytes().string(rest));
            case "RowDescription" -> rowDescription(words);
            case "DataRow" -> dataRow(words);
            case "ParameterDescription" -> {
                Bytes body = new Bytes().int16(words.size());
                words.forEach(type -> body.int32(Integer.parseInt(type)));
                yield message('t', body);
            }
            case "ErrorResponse" -> fields('E', words);
            case "NoticeResponse" -> fields('N', words);
            case "NotificationResponse" ->
                message(
                        'A',
                        new Bytes()
                                .int32(Integer.parseInt(words.get(0)))
                                .string(text(words.get(1)))
                                .string(text(words.get(2))));
            case "CopyData" -> message('d', new Bytes().bytes(value(words.get(0))));
            case "CopyInResponse" -> copyFormats('G', words);
            case "CopyOutResponse" -> copyFormats('H', words);
            case "FunctionCallResponse" -> {
                byte[] value = value(words.get(0));
                yield message('V', new Bytes().int32(value.length).bytes(value));
            }
            case "Result" -> result(words);
            case "Left" -> left(words);
            case "LongRow" -> dataRow(List.of("'" + "x".repeat(Integer.parseInt(words.get(0))) + "'"));
            case "Raw" -> message(words.get(0).charAt(0), new Bytes().bytes(value(words.get(1))));
            default -> throw new IllegalArgumentException("unknown message: " + line);
        };
    }

    private static byte[] message(char type, Bytes body) {
        return io.multimed.testkit.wire.FrontendBytes.message(type, body.toArray());
    }

    private static byte[] result(List<String> words) {
        Bytes all = new Bytes().bytes(rowDescription(List.of(words.get(0))));
        List<String> values = words.subList(1, words.size());
        values.forEach(value -> all.bytes(dataRow(List.of(value))));
        return all.bytes(message('C', new Bytes().string("SELECT " + values.size())))
                .toArray();
    }

    /** Returns the answer to the question what a transaction has left in the engine session. */
    private static byte[] left(List<String> settings) {
        Bytes all = new Bytes()
                .bytes(message('C', new Bytes().string("SET")))
                .bytes(rowDescription(List.of("name", "setting")));
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            all.bytes(dataRow(List.of("'" + parts[0] + "'", "'" + parts[1].replace('_', ' ') + "'")));
        }
        return all.bytes(message('C', new Bytes().string("SELECT " + settings.size())))
                .bytes(message('Z', new Bytes().int8('I')))
                .toArray();
    }

    private static byte[] rowDescription(List<String> columns) {
        Bytes body = new Bytes().int16(columns.size());
        for (String column : columns) {
            String[] parts = column.split(":", 2);
            body.string(parts[0])
                    .int32(0)
                    .int16(0)
                    .int32(parts.length == 2 ? Integer.parseInt(parts[1]) : TEXT)
                    .int16(-1)
                    .int32(-1)
                    .int16(0);
        }
        return message('T', body);
    }

    private static byte[] dataRow(List<String> values) {
        Bytes body = new Bytes().int16(values.size());
        for (String word : values) {
            if (word.equals("NULL")) {
                body.int32(-1);
            } else {
                byte[] value = value(word);
                body.int32(value.length).bytes(value);
            }
        }
        return message('D', body);
    }

    private static byte[] fields(char type, List<String> words) {
        Bytes body = new Bytes()
                .int8('S')
                .string(words.get(0))
                .int8('V')
                .string(words.get(0))
                .int8('C')
                .string(words.get(1))
                .int8('M')
                .string(text(words.get(2)));
        for (String more : words.subList(3, words.size())) {
            body.int8(more.charAt(0)).string(text(more.substring(2)));
        }
        return message(type, body.int8(0));
    }

    private static byte[] copyFormats(char type, List<String> words) {
        Bytes body = new Bytes().int8(Integer.parseInt(words.get(0))).int16(words.size() - 1);
        words.subList(1, words.size()).forEach(format -> body.int16(Integer.parseInt(format)));
        return message(type, body);
    }

    private static byte[] value(String word) {
        return word.startsWith("x'")
                ? HexFormat.of().parseHex(word.substring(2, word.length() - 1))
                : text(word).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(String quoted) {
        if (quoted.length() < 2 || quoted.charAt(0) != '\'') {
            throw new IllegalArgumentException("a text is in quotes: " + quoted);
        }
        return quoted.substring(1, quoted.length() - 1).translateEscapes();
    }

    /** Writes messages as a transcript does. */
    static List<String> lines(byte[] bytes) {
        List<String> lines = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(bytes);
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
            lines.add(line(new Message(type, body)));
        }
        return lines;
    }

    private static String line(Message message) {
        ByteBuffer body = message.reader();
        return switch (message.type()) {
            case 'T' -> {
                StringBuilder line = new StringBuilder("RowDescription");
                for (int i = body.getShort(); i > 0; i--) {
                    line.append(' ').append(Message.string(body));
                    body.position(body.position() + 6);
                    int type = body.getInt();
                    line.append(type == TEXT ? "" : ":" + type);
                    body.position(body.position() + 8);
                }
                yield line.toString();
            }
            case 'D' -> {
                StringBuilder line = new StringBuilder("DataRow");
                for (byte @Nullable [] value : message.row()) {
                    line.append(' ').append(value == null ? "NULL" : quoted(value));
                }
                yield line.toString();
            }
            case 'E', 'N' -> {
                StringBuilder line = new StringBuilder(message.type() == 'E' ? "ErrorResponse " : "NoticeResponse ");
                message.fields().forEach((code, value) -> {
                    switch (code) {
                        case 'S', 'C' -> line.append(value).append(' ');
                        case 'V' -> {}
                        case 'M' -> line.append(quoted(value));
                        default -> line.append(' ').append(code).append('=').append(quoted(value));
                    }
                });
                yield line.toString();
            }
            case 'R' -> body.getInt() == 0 ? "AuthenticationOk" : message.toString();
            case 'A' ->
                "NotificationResponse " + body.getInt() + " " + quoted(Message.string(body)) + " "
                        + quoted(Message.string(body));
            case 'K' -> {
                int pid = body.getInt();
                byte[] secret = new byte[body.remaining()];
                body.get(secret);
                yield "BackendKeyData " + pid + " " + HexFormat.of().formatHex(secret);
            }
            default -> message.toString();
        };
    }

    private static String quoted(byte[] value) {
        for (byte each : value) {
            if (each < ' ' && each != '\n' && each != '\t') {
                return "x'" + HexFormat.of().formatHex(value) + "'";
            }
        }
        return quoted(new String(value, StandardCharsets.UTF_8));
    }

    static String quoted(String text) {
        return "'"
                + text.replace("\\", "\\\\")
                        .replace("'", "\\'")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t") + "'";
    }
}
