package io.multimed.bench;

/** The output of a benchmark to the person who waits for it. Any thread. */
public interface Console {
    /** One thing that happened. */
    void say(String line);

    /** How far something has come; replaces what was shown before, where that can be done. */
    void progress(String line);

    /** Prints a result of the benchmark: lines, each ended by a line feed. */
    void result(String text);
}
