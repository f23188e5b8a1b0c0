package io.multimed.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The engines' statements that stand for one of the application's, one for each engine connection that it has run on; all
 * are set alike.
 */
final class PhysicalStatements {
    private final StatementForm form;
    private Connection[] nodes = new Connection[2];
    private Statement[] physicals = new Statement[2];
    private int count;
    private @Nullable StatementSettings settings;

    PhysicalStatements(StatementForm form) {
        this.form = form;
    }

    /**
     * The one on this connection, made if there is none.
     *
     * @param current the one that ran last
     */
    Statement on(Connection node, @Nullable Statement current) throws SQLException {
        for (int i = 0; i < count; i++) {
            if (nodes[i] == node) {
                if (settings != null && physicals[i] != current && physicals[i].isClosed()) {
                    // By closeOnCompletion: what it had answered was closed when the statement went on elsewhere.
                    physicals[i] = make(node);
                }
                return physicals[i];
            }
        }
        Statement made = make(node);
        add(node, made);
        return made;
    }

    private Statement make(Connection node) throws SQLException {
        Statement made = form.create(node);
        if (settings != null) {
            settings.apply(made);
        }
        return made;
    }

    /** Whether its node has been dropped, or its connection lost, since it was made. */
    boolean isDead(Statement physical) throws SQLException {
        for (int i = 0; i < count; i++) {
            if (physicals[i] == physical) {
                return nodes[i].isClosed();
            }
        }
        return true;
    }

    private void add(Connection node, Statement made) throws SQLException {
        if (count == nodes.length) {
            forgetDead();
        }
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, count * 2);
            physicals = Arrays.copyOf(physicals, count * 2);
        }
        nodes[count] = node;
        physicals[count++] = made;
    }

    /** Nodes are dropped and made anew; what was prepared on the old ones is gone. */
    private void forgetDead() throws SQLException {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!nodes[i].isClosed()) {
                nodes[kept] = nodes[i];
                physicals[kept++] = physicals[i];
            }
        }
        count = kept;
    }

    /** @param first the one that says whether the setting is a valid one */
    void set(Statement first, String name, StatementSettings.Setting setting) throws SQLException {
        setting.on(first);
        forgetDead();
        StatementSettings known = settings;
        if (known == null) {
            known = new StatementSettings();
            settings = known;
        }
        known.remember(name, setting);
        for (int i = 0; i < count; i++) {
            if (physicals[i] != first) {
                setting.on(physicals[i]);
            }
        }
    }

    void close() throws SQLException {
        SQLException failure = null;
        for (int i = 0; i < count; i++) {
            try {
                physicals[i].close();
            } catch (SQLException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
