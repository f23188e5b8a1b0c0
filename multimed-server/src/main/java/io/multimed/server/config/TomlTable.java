package io.multimed.server.config;

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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;

/**
 * One table of a TOML file, read key by key. The tables of a file share the set of keys read so far, so that {@link #end} can
 * refuse the others, and collect problems rather than stopping at the first.
 */
public final class TomlTable {
    private final Document document;
    private final String path;
    private final org.tomlj.TomlTable node;
    /** The line of the table's header; 0 if there is none. */
    private final int line;

    /** @param asked full paths of the keys read so far */
    private record Document(String source, List<String> problems, Set<String> asked) {
        /** @param line of the problem; 0 if no line is to blame */
        void problem(int line, String text) {
            problems.add(line == 0 ? text : source + ", line " + line + ": " + text);
        }
    }

    private TomlTable(Document document, String path, org.tomlj.TomlTable node, int line) {
        this.document = document;
        this.path = path;
        this.node = node;
        this.line = line;
    }

    private static TomlTable root(org.tomlj.TomlTable node, String source, List<String> problems) {
        return new TomlTable(new Document(source, problems, new TreeSet<>()), "", node, 0);
    }

    /** Returns a document without any key; what is wrong with it goes to {@code problems}. */
    public static TomlTable empty(List<String> problems) {
        return root(nothing(), "", problems);
    }

    private static org.tomlj.TomlTable nothing() {
        return Toml.parse("");
    }

    static TomlTable parse(String toml, String source, List<String> problems) throws ConfigurationException {
        TomlParseResult parsed = Toml.parse(toml);
        if (parsed.hasErrors()) {
            throw new ConfigurationException(parsed.errors().stream()
                    .map(error -> source + ", line " + error.position().line() + ", column "
                            + error.position().column() + ": not TOML: " + reason(error))
                    .toList());
        }
        return root(parsed, source, problems);
    }

    private static String reason(TomlParseError error) {
        return String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    }

    /**
     * Reads a file.
     *
     * @param problems receives what is wrong with its values
     * @throws ConfigurationException if there is no such file, or it is not TOML
     */
    public static TomlTable read(Path file, List<String> problems) throws ConfigurationException {
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
    public List<String> problems() {
        return document.problems();
    }

    /** Returns the full paths of all keys and tables that have been read from the tables of this file. */
    Set<String> asked() {
        return Collections.unmodifiableSet(document.asked());
    }

    /** Notes a problem of a key, with its line, or with that of the table if the key is missing. */
    public void problem(String name, String reason) {
        document.problem(line(name), key(name) + ": " + reason);
    }

    private int line(String name) {
        TomlPosition position = node.inputPositionOf(List.of(name));
        return position == null ? line : position.line();
    }

    private @Nullable Object value(String name) {
        document.asked().add(key(name));
        return node.get(List.of(name));
    }

    /** Returns the value as the file may have it. */
    private static String text(Object value) {
        return switch (value) {
            case String text -> '"' + text + '"';
            case TomlArray array ->
                array.toList().stream().map(TomlTable::text).collect(Collectors.joining(", ", "[", "]"));
            case org.tomlj.TomlTable table ->
                table.entrySet().stream()
                        .map(entry -> entry.getKey() + " = " + text(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            default -> value.toString();
        };
    }

    /** Whether the table has the key. */
    public boolean has(String name) {
        return value(name) != null;
    }

    /** Returns a table; it is empty if it does not exist. */
    public TomlTable table(String name) {
        Object value = value(name);
        if (value instanceof org.tomlj.TomlTable table) {
            return new TomlTable(document, key(name), table, line(name));
        }
        if (value != null) {
            problem(name, "is a table, write [" + key(name) + "]");
        }
        return new TomlTable(document, key(name), nothing(), line(name));
    }

    /** Returns the tables of an array of tables. */
    List<TomlTable> tables(String name) {
        Object value = value(name);
        List<TomlTable> found = new ArrayList<>();
        if (value instanceof TomlArray array) {
            for (int i = 0; i < array.size(); i++) {
                String element = key(name) + "[" + i + "]";
                int at = array.inputPositionOf(i).line();
                if (array.get(i) instanceof org.tomlj.TomlTable table) {
                    found.add(new TomlTable(document, element, table, at));
                } else {
                    document.problem(at, element + ": is a table, not " + text(array.get(i)));
                }
            }
        } else if (value != null) {
            problem(name, "is a list of tables, write [[" + key(name) + "]]");
        }
        return found;
    }

    List<String> names() {
        return List.copyOf(node.keySet());
    }

    /** Returns the names of the tables in this table. */
    List<String> tableNames() {
        return names().stream().filter(name -> node.isTable(List.of(name))).toList();
    }

    /** Returns a text; empty if there is none, or another value, which is a problem. */
    public Optional<String> text(String name) {
        return text(name, "text in quotes");
    }

    /** @param form the allowed form, for the problem if the value has another one */
    Optional<String> text(String name, String form) {
        return switch (value(name)) {
            case null -> Optional.empty();
            case String text -> Optional.of(text);
            case Object other -> {
                problem(name, "must be " + form + ", not " + text(other));
                yield Optional.empty();
            }
        };
    }

    /** Returns a number; empty if there is none, or another value, which is a problem. */
    public OptionalInt integer(String name, int least, int most) {
        return switch (value(name)) {
            case null -> OptionalInt.empty();
            case Long number when number >= least && number <= most -> OptionalInt.of(number.intValue());
            case Object other -> {
                problem(name, "must be a number from " + least + " to " + most + ", not " + text(other));
                yield OptionalInt.empty();
            }
        };
    }

    boolean flag(String name, boolean otherwise) {
        return switch (value(name)) {
            case null -> otherwise;
            case Boolean flag -> flag;
            case Object other -> {
                problem(name, "must be true or false, not " + text(other));
                yield otherwise;
            }
        };
    }

    List<String> texts(String name) {
        Object value = value(name);
        if (value == null) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        if (value instanceof TomlArray array) {
            for (Object element : array.toList()) {
                if (element instanceof String text) {
                    found.add(text);
                }
            }
            if (found.size() == array.size()) {
                return found;
            }
        }
        problem(name, "must be a list of texts in quotes, such as [\"a\", \"b\"], not " + text(value));
        return List.of();
    }

    /** Returns the value of an engine's setting, which may be a text, a number or a boolean. */
    public Optional<String> scalar(String name) {
        return switch (value(name)) {
            case null -> Optional.empty();
            case String text -> Optional.of(text);
            case Number number -> Optional.of(number.toString());
            case Boolean flag -> Optional.of(flag.toString());
            case Object other -> {
                problem(name, "must be a text, a number or true or false, not " + text(other));
                yield Optional.empty();
            }
        };
    }

    /** Refuses every key that has not been read. */
    public void end() {
        String prefix = key("");
        List<String> known = document.asked().stream()
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
