package io.multimed.cli.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Lines of the log as JSON: one object, whose members are always in the same order. */
final class JsonLine {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final Set<String> OWN = Set.of("time", "level", "thread", "logger", "message", "error");

    private JsonLine() {}

    /** Returns the object, without the end of the line. */
    static String of(
            String level, String logger, String message, List<KeyValuePair> values, @Nullable Throwable cause) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("time", TIME.format(Instant.now()));
            json.writeStringField("level", level);
            json.writeStringField("thread", Thread.currentThread().getName());
            json.writeStringField("logger", logger);
            json.writeStringField("message", message);
            for (KeyValuePair pair : values) {
                json.writeFieldName(OWN.contains(pair.key) ? pair.key + "_" : pair.key);
                value(json, pair.value);
            }
            if (cause != null) {
                StringWriter trace = new StringWriter();
                cause.printStackTrace(new PrintWriter(trace));
                json.writeStringField("error", trace.toString());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void value(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case Boolean flag -> json.writeBoolean(flag);
            case null -> json.writeNull();
            default -> json.writeString(value.toString());
        }
    }
}
