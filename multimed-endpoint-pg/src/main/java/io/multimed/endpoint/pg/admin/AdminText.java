package io.multimed.endpoint.pg.admin;

import java.util.ArrayList;
import java.util.List;

/** Splits a client's text into commands by PostgreSQL's rules. */
final class AdminText {
    private AdminText() {}

    /** Returns the commands that are not empty, without comments, with single spaces between words. */
    static List<String> commands(String sql) {
        List<String> commands = new ArrayList<>();
        StringBuilder command = new StringBuilder();
        int at = 0;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            int end = at + 1;
            if (sql.startsWith("--", at)) {
                end = lineEnd(sql, at);
                command.append(' ');
            } else if (sql.startsWith("/*", at)) {
                end = commentEnd(sql, at);
                command.append(' ');
            } else if (c == '\'' || c == '"') {
                int quote = sql.indexOf(c, end);
                end = quote < 0 ? sql.length() : quote + 1;
                command.append(sql, at, end);
            } else if (c == ';') {
                add(command, commands);
            } else {
                command.append(c);
            }
            at = end;
        }
        add(command, commands);
        return commands;
    }

    private static void add(StringBuilder command, List<String> commands) {
        String text = command.toString().strip().replaceAll("\\s+", " ");
        if (!text.isEmpty()) {
            commands.add(text);
        }
        command.setLength(0);
    }

    private static int lineEnd(String sql, int at) {
        int end = sql.indexOf('\n', at);
        return end < 0 ? sql.length() : end;
    }

    /** Returns the end of a comment. Comments may be nested. */
    private static int commentEnd(String sql, int start) {
        int depth = 0;
        int at = start;
        do {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < sql.length());
        return Math.min(at, sql.length());
    }
}
