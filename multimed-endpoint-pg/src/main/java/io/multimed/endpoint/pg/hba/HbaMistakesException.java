package io.multimed.endpoint.pg.hba;

import java.util.List;

/** Thrown if files of rules have mistakes. */
public final class HbaMistakesException extends Exception {
    private final List<String> mistakes;

    HbaMistakesException(List<String> mistakes) {
        super(String.join("; ", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns all mistakes, each with its file and line. */
    public List<String> mistakes() {
        return mistakes;
    }
}
