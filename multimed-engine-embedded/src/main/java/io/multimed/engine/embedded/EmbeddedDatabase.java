package io.multimed.engine.embedded;

import java.util.List;

/** One database of this JVM, as {@code SHOW MULTIMED NODES}, JMX and metrics show it. Any thread. */
public interface EmbeddedDatabase {
    EmbeddedOptions options();

    /** Returns the state of all nodes, the Master first. */
    List<EmbeddedNodeStatus> nodes();

    ReadStatus reads();

    ComparisonStatus comparisons();

    /** Runs {@code then} once the database has ended; at once if it has ended already. */
    void whenEnded(Runnable then);

    /** Returns the SCN of the last commit. */
    long committed();
}
