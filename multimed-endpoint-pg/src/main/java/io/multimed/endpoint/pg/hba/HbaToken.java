package io.multimed.endpoint.pg.hba;

/**
 * A word of a file of rules.
 *
 * @param quoted whether it began with a quote, so that it is no keyword
 */
record HbaToken(String text, boolean quoted) {
    boolean isKeyword(String keyword) {
        return !quoted && text.equals(keyword);
    }
}
