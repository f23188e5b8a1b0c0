package io.multimed.endpoint.mysql.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The assignments of a SET statement, as far as its text is plain enough to tell them. Drivers set variables of several kinds with one
 * statement.
 */
final class SetAssignments {
    private static final Pattern SET = Pattern.compile("(?is)\\s*SET\\s(.*?);?\\s*");
    private static final Pattern CHARACTER_SETS =
            Pattern.compile("(?is)(NAMES|CHARSET|CHARACTER\\s+SET)\\s.*|.*(character_set|collation)_.*=.*");
    private static final Pattern OF_A_VARIABLE =
            Pattern.compile("(?is)(?:(?:SESSION|LOCAL)\\s+|@@(?:(?:SESSION|LOCAL)\\.)?)?(\\w+)\\s*:?=.*");
    /** No variables, comments or further statements. */
    private static final Pattern PLAIN = Pattern.compile("[\\n\\r\\t -~&&[^@#/;]]*");

    private final List<String> parts;

    private SetAssignments(List<String> parts) {
        this.parts = parts;
    }

    /** Returns the assignments; null if the text is no SET, or not plain enough to tell. */
    static @Nullable SetAssignments of(String statement) {
        Matcher set = SET.matcher(statement);
        List<String> parts = set.matches() ? parts(set.group(1)) : null;
        return parts == null ? null : new SetAssignments(parts);
    }

    /** Splits at the commas outside of quotes and parentheses; returns null if there may be comments, escapes or further statements. */
    private static @Nullable List<String> parts(String assignments) {
        if (assignments.contains("/*") || assignments.contains("--") || assignments.matches("(?s).*[#\\\\;].*")) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        int depth = 0;
        char quote = 0;
        int from = 0;
        for (int i = 0; i < assignments.length(); i++) {
            char c = assignments.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"' || c == '`') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == ',' && depth == 0) {
                parts.add(assignments.substring(from, i).strip());
                from = i + 1;
            }
        }
        parts.add(assignments.substring(from).strip());
        return quote == 0 && depth == 0 ? parts : null;
    }

    /**
     * Returns the statement that makes the same choice of character sets on another connection.
     *
     * @return empty if none is made; null if it cannot be made there, since it depends on variables
     */
    @Nullable
    String characterSets() {
        List<String> chosen = parts.stream()
                .filter(part -> CHARACTER_SETS.matcher(part).matches())
                .toList();
        if (!chosen.stream().allMatch(part -> PLAIN.matcher(part).matches())) {
            return null;
        }
        return chosen.isEmpty() ? "" : "SET " + String.join(", ", chosen);
    }

    /** Whether each assignment is one of character sets, or of a variable of the session with such a name in small letters. */
    boolean areAllOf(Predicate<String> names) {
        return parts.stream().allMatch(part -> {
            Matcher variable = OF_A_VARIABLE.matcher(part);
            return CHARACTER_SETS.matcher(part).matches()
                    || (variable.matches() && names.test(variable.group(1).toLowerCase(Locale.ROOT)));
        });
    }
}
