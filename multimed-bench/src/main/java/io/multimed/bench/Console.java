package io.multimed.bench;

/** The output of a benchmark to the person who waits for it. Any thread. */
public interface Console {
    /** Prints one event. */
    void say(String line);

    /** Shows the progress of the present work; replaces the previous progress line, where possible. */
    void progress(String line);

    /** Prints a result of the benchmark: lines, each ended by a line feed. */
    void result(String text);
}
