package io.multimed.sql;

/** Parser for CREATE, ALTER and DROP DATABASE. Finds the database to which no other session may be connected. Has no state. */
final class DatabaseCommands {
    /** Database that CREATE DATABASE copies if no TEMPLATE is given. */
    private static final String USUAL_TEMPLATE = "template1";

    private DatabaseCommands() {}

    /**
     * Parses a database command.
     *
     * @param tokens the tokens of a statement that begins with these words
     */
    static Statement.DatabaseCommand parse(Verb verb, Tokens tokens) {
        return switch (verb) {
            case CREATE -> new Statement.DatabaseCommand(Statement.DatabaseCommand.Use.COPY, template(tokens), false);
            case DROP -> drop(tokens);
            default -> alter(tokens);
        };
    }

    private static String template(Tokens tokens) {
        for (int i = 3; i < tokens.size(); i++) {
            if (tokens.get(i).is("template")) {
                Token behind = tokens.get(i + 1);
                Token name = behind.isIdentifier() ? behind : tokens.get(i + 2);
                // DEFAULT is a key word and stands for the usual template.
                return name.isIdentifier() && !name.is("default") ? name.text() : USUAL_TEMPLATE;
            }
        }
        return USUAL_TEMPLATE;
    }

    private static Statement.DatabaseCommand drop(Tokens tokens) {
        int name = tokens.get(2).is("if") && tokens.get(3).is("exists") ? 4 : 2;
        return new Statement.DatabaseCommand(
                Statement.DatabaseCommand.Use.CHANGE, tokens.get(name).text(), tokens.find("force", name + 1) >= 0);
    }

    private static Statement.DatabaseCommand alter(Tokens tokens) {
        boolean alone = tokens.get(3).is("rename")
                || (tokens.get(3).is("set") && tokens.get(4).is("tablespace"));
        return new Statement.DatabaseCommand(
                alone ? Statement.DatabaseCommand.Use.CHANGE : Statement.DatabaseCommand.Use.OTHER,
                tokens.get(2).text(),
                false);
    }
}
