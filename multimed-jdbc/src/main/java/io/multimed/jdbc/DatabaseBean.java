package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedDatabase;
import java.util.List;

/** Any thread. */
record DatabaseBean(EmbeddedDatabase database) implements DatabaseMXBean {
    @Override
    public long getCommitted() {
        return database.committed();
    }

    @Override
    public List<NodeBean> getNodes() {
        return database.nodes().stream().map(NodeBean::of).toList();
    }
}
