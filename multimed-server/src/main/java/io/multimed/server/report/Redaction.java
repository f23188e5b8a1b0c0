package io.multimed.server.report;

import io.multimed.sql.StatementText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes what is secret, and the data in statements, from texts that go to others. It removes too much rather than too little: a
 * value whose name sounds secret, everything in quotes, and whatever an engine quotes from a statement or a row.
 *
 * <p>The patterns repeat alternatives possessively, since each repetition takes room on the stack otherwise. None begins with something that is
 * long and common, so that a long entry takes no more than its share of time.
 */
public final class Redaction {
    static final String REMOVED = "(removed)";

    private static final String SOUNDS_SECRET =
            "passw|passphrase|secret|conninfo|token|credential|api_?key|access_?key|private_?key|verifier";

    private static final Pattern SECRET_NAME = Pattern.compile(SOUNDS_SECRET, Pattern.CASE_INSENSITIVE);

    /** The end of a name that sounds secret, from that sound on, and the value behind = or :, or in quotes. */
    private static final Pattern NAMED = Pattern.compile(
            "((?:" + SOUNDS_SECRET + ")[\\w.\\-]*+[\"']?)"
                    + "(\\s*[=:]\\s*(?:\"(?:[^\"\\\\]|\\\\.)*+\"?|'(?:[^']|'')*+'?|[^\\s,;}\"']+)"
                    + "|\\s+(?:\"(?:[^\"\\\\]|\\\\.)*+\"?|'(?:[^']|'')*+'?))",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern IN_URL = Pattern.compile("://[^/\\s@]*@");
    private static final Pattern VERIFIER = Pattern.compile("SCRAM-SHA-256\\$\\S+|md5[0-9a-f]{32}");
    private static final Pattern SINGLE_QUOTED =
            Pattern.compile("'(?:[^'\\\\]|''|\\\\.|\\\\\\z)*+(?:'|\\z)", Pattern.DOTALL);
    private static final Pattern DOLLAR_QUOTED = Pattern.compile("\\$(\\w*)\\$.*?(?:\\$\\1\\$|\\z)", Pattern.DOTALL);

    /** A text in double quotes behind a colon, as PostgreSQL quotes values in its errors. */
    private static final Pattern QUOTED_VALUE = Pattern.compile(": \"[^\"]*\"?");

    /** The text of a statement in Multimed's own log, in both of its formats. */
    private static final Pattern OWN_STATEMENT = Pattern.compile("((?: |,\")text\"?[=:])\"((?:[^\"\\\\]|\\\\.)*+)\"");

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    /** A message of PostgreSQL that contains a statement. */
    private static final Pattern STATEMENT = Pattern.compile(
            "(.*?\\b(?:STATEMENT|QUERY):  |.*?\\bLOG:  .*?\\b(?:statement|execute [^:]*|parse [^:]*): )(.*)",
            Pattern.DOTALL);

    /** A message of PostgreSQL that contains parts of rows. */
    private static final Pattern ROWS = Pattern.compile("(.*?\\b(?:DETAIL|CONTEXT):  ).*", Pattern.DOTALL);

    /** The beginning of an entry; other lines go on with the entry before them. */
    private static final Pattern ENTRY = Pattern.compile("\\d{4}-\\d\\d-\\d\\d[ T].*|\\{\"time\".*");

    private Redaction() {}

    /** Returns the value of a setting, or that it was removed. */
    public static String value(String key, String value) {
        // Names of files are no secrets, and needed.
        if (key.startsWith("endpoint.tls.") || value.isEmpty()) {
            return value;
        }
        return SECRET_NAME.matcher(key).find() ? REMOVED : text(value);
    }

    /** Returns any text without what is in quotes, and without values whose names sound secret. */
    public static String text(String text) {
        String redacted = NAMED.matcher(text).replaceAll("$1 " + REMOVED);
        redacted = IN_URL.matcher(redacted).replaceAll("://" + REMOVED + "@");
        redacted = VERIFIER.matcher(redacted).replaceAll(REMOVED);
        redacted = DOLLAR_QUOTED.matcher(redacted).replaceAll(REMOVED);
        return SINGLE_QUOTED.matcher(redacted).replaceAll("'?'");
    }

    /** Returns the lines of a log of Multimed or of PostgreSQL. */
    public static String log(List<String> lines) {
        List<String> entries = new ArrayList<>();
        StringBuilder entry = new StringBuilder();
        for (String line : lines) {
            if (ENTRY.matcher(line).matches() && !entry.isEmpty()) {
                entries.add(entry(entry.toString()));
                entry.setLength(0);
            }
            entry.append(line).append('\n');
        }
        entries.add(entry(entry.toString()));
        return String.join("", entries);
    }

    private static String entry(String entry) {
        String shown = OWN_STATEMENT
                .matcher(entry)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1) + '"' + escaped(withoutLiterals(unescaped(found.group(2)))) + '"'));
        Matcher rows = ROWS.matcher(shown);
        if (rows.matches()) {
            return rows.group(1) + REMOVED + "\n";
        }
        Matcher statement = STATEMENT.matcher(shown);
        if (statement.matches()) {
            shown = statement.group(1) + withoutLiterals(statement.group(2)) + "\n";
        }
        return text(QUOTED_VALUE.matcher(shown).replaceAll(": " + REMOVED));
    }

    private static String withoutLiterals(String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        return StatementText.withoutLiterals(bytes, 0, bytes.length);
    }

    private static String unescaped(String text) {
        return ESCAPED.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        switch (found.group(1)) {
                            case "n" -> "\n";
                            case "r" -> "\r";
                            case "t" -> "\t";
                            default -> found.group(1);
                        }));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }
}
