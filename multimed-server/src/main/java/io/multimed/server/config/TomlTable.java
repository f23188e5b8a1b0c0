package io.multimed.server.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One table of a TOML file, read key by key. The tables of a file share the set of keys read so far, so that {@link #end} can
 * refuse the others, and collect problems rather than stopping at the first.
 */
final class TomlTable {
    private final String path;
    private final JsonNode node;
    private final List<String> problems;
    /** Full paths of the keys read so far. */
    private final Set<String> asked;

    private TomlTable(String path, JsonNode node, List<String> problems, Set<String> asked) {
        this.path = path;
        this.node = node;
        this.problems = problems;
        this.asked = asked;
    }

    private static TomlTable root(JsonNode node, List<String> problems) {
        return new TomlTable("", node, problems, new TreeSet<>());
    }

    static TomlTable empty(List<String> problems) {
        return root(JsonNodeFactory.instance.objectNode(), problems);
    }

    static TomlTable parse(String toml, String source, List<String> problems) throws ConfigurationException {
        try {
            return root(new TomlMapper().readTree(toml), problems);
        } catch (JacksonException e) {
            JsonLocation at = e.getLocation();
            String where = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new ConfigurationException(source + where + ": not TOML: "
                    + e.getOriginalMessage().lines().findFirst().orElse(""));
        }
    }

    static TomlTable read(Path file, List<String> problems) throws ConfigurationException {
        try {
            return parse(Files.readString(file, StandardCharsets.UTF_8), file.toString(), problems);
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(file + ": there is no such file");
        } catch (AccessDeniedException e) {
            throw new ConfigurationException(
                    file + ": the user " + System.getProperty("user.name") + " may not read it");
        } catch (MalformedInputException e) {
            throw new ConfigurationException(file + ": not UTF-8 text");
        } catch (IOException e) {
            throw new ConfigurationException(file + ": cannot be read: " + e.getMessage());
        }
    }

    /** Returns the full path of a key of this table. */
    String key(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Returns the problems of all tables of this file. */
    List<String> problems() {
        return problems;
    }

    /** Returns the full paths of all keys and tables that have been read from the tables of this file. */
    Set<String> asked() {
        return Collections.unmodifiableSet(asked);
    }

    void problem(String name, String reason) {
        problems.add(key(name) + ": " + reason);
    }

    private @Nullable JsonNode value(String name) {
        asked.add(key(name));
        return node.get(name);
    }

    boolean has(String name) {
        return value(name) != null;
    }

    /** Returns a table; it is empty if it does not exist. */
    TomlTable table(String name) {
        JsonNode value = value(name);
        if (value != null && !value.isObject()) {
            problem(name, "is a table, write [" + key(name) + "]");
            value = null;
        }
        return new TomlTable(key(name), value == null ? JsonNodeFactory.instance.objectNode() : value, problems, asked);
    }

    /** Returns the tables of an array of tables. */
    List<TomlTable> tables(String name) {
        JsonNode value = value(name);
        List<TomlTable> found = new ArrayList<>();
        if (value != null && !value.isArray()) {
            problem(name, "is a list of tables, write [[" + key(name) + "]]");
        } else if (value != null) {
            for (int i = 0; i < value.size(); i++) {
                found.add(new TomlTable(key(name) + "[" + i + "]", value.get(i), problems, asked));
            }
        }
        return found;
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Returns the names of the tables in this table. */
    List<String> tableNames() {
        return names().stream().filter(name -> node.get(name).isObject()).toList();
    }

    Optional<String> text(String name) {
        return text(name, "text in quotes");
    }

    /** @param form the allowed form, for the problem if the value has another one */
    Optional<String> text(String name, String form) {
        JsonNode value = value(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            problem(name, "must be " + form + ", not " + value);
            return Optional.empty();
        }
        return Optional.of(value.textValue());
    }

    OptionalInt integer(String name, int least, int most) {
        JsonNode value = value(name);
        if (value == null) {
            return OptionalInt.empty();
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToInt()
                || value.intValue() < least
                || value.intValue() > most) {
            problem(name, "must be a number from " + least + " to " + most + ", not " + value);
            return OptionalInt.empty();
        }
        return OptionalInt.of(value.intValue());
    }

    boolean flag(String name, boolean otherwise) {
        JsonNode value = value(name);
        if (value != null && !value.isBoolean()) {
            problem(name, "must be true or false, not " + value);
            return otherwise;
        }
        return value == null ? otherwise : value.booleanValue();
    }

    List<String> texts(String name) {
        JsonNode value = value(name);
        List<String> found = new ArrayList<>();
        if (value == null) {
            return found;
        }
        boolean good = value.isArray();
        for (JsonNode element : value) {
            good &= element.isTextual();
            found.add(element.asText());
        }
        if (!good) {
            problem(name, "must be a list of texts in quotes, such as [\"a\", \"b\"], not " + value);
        }
        return good ? found : List.of();
    }

    /** Returns the value of an engine's setting, which may be a text, a number or a boolean. */
    Optional<String> scalar(String name) {
        JsonNode value = value(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isValueNode()) {
            problem(name, "must be a text, a number or true or false, not " + value);
            return Optional.empty();
        }
        return Optional.of(value.asText());
    }

    /** Refuses every key that has not been read. */
    void end() {
        String prefix = key("");
        List<String> known = asked.stream()
                .filter(key -> key.startsWith(prefix) && key.indexOf('.', prefix.length()) < 0)
                .map(key -> key.substring(prefix.length()))
                .toList();
        for (String name : names()) {
            if (!known.contains(name)) {
                problem(name, "there is no such key; " + Suggestion.of(name, known));
            }
        }
    }
}
