package io.multimed.bench;

/** What a person who waits for a benchmark is shown. Any thread. */
public interface Console {
    /** One thing that happened. */
    void say(String line);

    /** How far something has come; replaces what was shown before, where that can be done. */
    void progress(String line);

    /** What the benchmark was run for; lines, each ended by a line feed. */
    void result(String text);
}
