package io.multimed.jdbc.statement;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The engines' statements for one statement of the application, one for each engine connection on which it has run. All have the
 * same settings.
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
     * Returns the physical statement on this connection, which is made if there is none.
     *
     * @param current the one that ran last
     */
    Statement on(Connection node, @Nullable Statement current) throws SQLException {
        for (int i = 0; i < count; i++) {
            if (nodes[i] == node) {
                if (settings != null && physicals[i] != current && physicals[i].isClosed()) {
                    // Closed by closeOnCompletion: its result set was closed when the statement moved to another node.
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

    /** Whether the statement's node has been dropped, or its connection lost, since it was made. */
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

    /** Removes statements whose nodes have been dropped and rebuilt. */
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

    /**
     * Makes a setting on all physical statements.
     *
     * @param first the statement that checks whether the setting is valid
     */
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
