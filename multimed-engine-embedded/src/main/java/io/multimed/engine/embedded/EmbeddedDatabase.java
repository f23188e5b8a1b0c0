package io.multimed.engine.embedded;

import java.util.List;

/** One database of this JVM, as shown to people: {@code SHOW MULTIMED NODES}, JMX, metrics. Any thread. */
public interface EmbeddedDatabase {
    EmbeddedOptions options();

    /** Master first. */
    List<NodeStatus> nodes();

    ReadStatus reads();

    ComparisonStatus comparisons();

    /** The SCN of the last commit. */
    long committed();
}
