package io.multimed.endpoint.pg.hba;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A name in a rule, or what stands for names.
 *
 * @param text without the sign that tells the kind
 * @param pattern of a regular expression
 */
record HbaName(Kind kind, String text, @Nullable Pattern pattern) {
    enum Kind {
        ALL,
        /** A database with the name of the role. */
        SAME_USER,
        /** A database with the name of a role that the client's role is a member of. */
        SAME_ROLE,
        /** Replication connections, which belong to no database. */
        REPLICATION,
        /** The members of a role. */
        GROUP,
        EXPRESSION,
        NAME
    }

    /** @throws IllegalArgumentException if it is a regular expression with a mistake */
    static HbaName database(HbaToken word) {
        if (word.isKeyword("sameuser")) {
            return of(Kind.SAME_USER, word);
        }
        if (word.isKeyword("samerole") || word.isKeyword("samegroup")) {
            return of(Kind.SAME_ROLE, word);
        }
        if (word.isKeyword("replication")) {
            return of(Kind.REPLICATION, word);
        }
        return common(word);
    }

    /** @throws IllegalArgumentException if it is a regular expression with a mistake */
    static HbaName user(HbaToken word) {
        if (!word.quoted() && word.text().startsWith("+")) {
            return new HbaName(Kind.GROUP, word.text().substring(1), null);
        }
        return common(word);
    }

    private static HbaName common(HbaToken word) {
        if (word.isKeyword("all")) {
            return of(Kind.ALL, word);
        }
        if (word.text().startsWith("/")) {
            return new HbaName(
                    Kind.EXPRESSION, word.text(), compiled(word.text().substring(1)));
        }
        return of(Kind.NAME, word);
    }

    private static HbaName of(Kind kind, HbaToken word) {
        return new HbaName(kind, word.text(), null);
    }

    /** Compiles one of PostgreSQL's regular expressions, which are those of Java but for the notation of classes of characters. */
    static Pattern compiled(String expression) {
        String translated = expression
                .replace("[:alpha:]", "\\p{L}")
                .replace("[:digit:]", "\\d")
                .replace("[:alnum:]", "\\p{L}\\d")
                .replace("[:upper:]", "\\p{Lu}")
                .replace("[:lower:]", "\\p{Ll}")
                .replace("[:space:]", "\\s")
                .replace("[:punct:]", "\\p{Punct}");
        try {
            return Pattern.compile(translated);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "invalid regular expression \"" + expression + "\": " + e.getDescription(), e);
        }
    }

    boolean isDatabaseOf(HbaLogin login) {
        if (login.replication()) {
            return kind == Kind.REPLICATION;
        }
        return switch (kind) {
            case ALL -> true;
            case SAME_USER -> login.database().equals(login.user());
            case SAME_ROLE -> login.roles().contains(login.database());
            case REPLICATION, GROUP -> false;
            case EXPRESSION -> found(login.database());
            case NAME -> text.equals(login.database());
        };
    }

    boolean isUserOf(HbaLogin login) {
        return switch (kind) {
            case ALL -> true;
            case GROUP -> login.roles().contains(text);
            case EXPRESSION -> found(login.user());
            case SAME_USER, SAME_ROLE, REPLICATION -> false;
            case NAME -> text.equals(login.user());
        };
    }

    private boolean found(String name) {
        return pattern != null && pattern.matcher(name).find();
    }
}
