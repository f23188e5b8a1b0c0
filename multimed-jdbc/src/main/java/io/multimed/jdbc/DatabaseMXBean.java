package io.multimed.jdbc;

import java.util.List;

/** A database inside this process, seen through JMX as {@code io.multimed:type=Database,name="jdbc:h2:mem:shop"}. */
public interface DatabaseMXBean {
    /** The SCN of the last commit. */
    long getCommitted();

    /** Master first. */
    List<NodeBean> getNodes();
}
