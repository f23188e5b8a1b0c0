package io.multimed.endpoint.pg.hba;

/** The words of one line: separated by blanks and commas, up to a comment. Quotes may be anywhere in a word. */
final class HbaWords {
    private final String line;
    private int at;
    private boolean comma;

    HbaWords(String line) {
        this.line = line;
        skip();
    }

    /** Moves to the next word, or to the end. */
    private void skip() {
        while (at < line.length() && (isBlank(line.charAt(at)) || line.charAt(at) == ',')) {
            at++;
        }
        if (at < line.length() && line.charAt(at) == '#') {
            at = line.length();
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    boolean hasNext() {
        return at < line.length();
    }

    /** Whether a comma ended the latest word. */
    boolean endedWithComma() {
        return comma;
    }

    HbaToken next() {
        StringBuilder text = new StringBuilder();
        boolean inQuote = false;
        boolean wasQuote = false;
        boolean beganQuoted = false;
        comma = false;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (!inQuote && (isBlank(c) || c == '#')) {
                break;
            }
            at++;
            if (!inQuote && c == ',') {
                comma = true;
                break;
            }
            // Within quotes, two quotes stand for one.
            if (c != '"' || wasQuote) {
                text.append(c);
            }
            wasQuote = inQuote && c == '"' && !wasQuote;
            if (c == '"') {
                inQuote = !inQuote;
                beganQuoted |= text.isEmpty();
            }
        }
        skip();
        return new HbaToken(text.toString(), beganQuoted);
    }
}
