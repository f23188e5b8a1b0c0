package io.multimed.engine.embedded;

import java.util.List;

/** One database of this JVM, as shown to people: {@code SHOW MULTIMED NODES}, JMX, metrics. Any thread. */
public interface EmbeddedDatabase {
    EmbeddedOptions options();

    /** Master first. */
    List<NodeStatus> nodes();

    ReadStatus reads();

    ComparisonStatus comparisons();

    /** Runs {@code then} once the database has ended, at once if it has already. */
    void whenEnded(Runnable then);

    /** The SCN of the last commit. */
    long committed();
}
