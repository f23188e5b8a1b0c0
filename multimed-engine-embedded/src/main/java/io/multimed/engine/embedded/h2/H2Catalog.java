package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.CatalogSignature;
import io.multimed.engine.embedded.spi.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.h2.constraint.Constraint;
import org.h2.engine.Comment;
import org.h2.engine.Database;
import org.h2.engine.DbObject;
import org.h2.engine.Right;
import org.h2.engine.RightOwner;
import org.h2.engine.User;
import org.h2.index.Index;
import org.h2.mvstore.db.MVTable;
import org.h2.schema.Schema;
import org.h2.schema.SchemaObject;
import org.h2.schema.Sequence;
import org.h2.schema.TriggerObject;
import org.h2.table.Table;

/** The part of an H2 database's catalog that Satellites share. */
final class H2Catalog {
    /** The user with which Satellites are created. No database of an application has it. */
    static final String INTERNAL_USER = "MULTIMED SATELLITE";

    /**
     * Parts of definitions that may differ between Master and Satellites: positions of sequences, secrets with their random salts,
     * statistics, and the place where a table is kept (a Satellite keeps tables in memory that its Master keeps on disk).
     */
    private static final Pattern OWN =
            Pattern.compile("(?<=^CREATE )(?:CACHED|MEMORY) |\\s*\\b(?:(?:RE)?START WITH -?\\d+|EXHAUSTED|(?:NO )?CYCLE"
                    + "|SELECTIVITY \\d+|SALT '[^']*' HASH '[^']*')");

    private H2Catalog() {}

    /**
     * Returns the definitions of all objects that Master and Satellites have in common, comparable as text, and the database's
     * settings. Triggers are left out because Satellites have none, and so are objects with generated names that belong to
     * constraints and identity columns.
     */
    static CatalogSignature signature(Database database) {
        List<String> lines = new ArrayList<>();
        for (Schema schema : database.getAllSchemasNoMeta()) {
            add(lines, schema);
            for (SchemaObject object : schema.getAll(null)) {
                if (!object.isTemporary() && shared(object)) {
                    add(lines, object);
                }
            }
            for (Table table : schema.getAllTablesAndViews(null)) {
                if (!table.isTemporary()) {
                    add(lines, table);
                }
            }
        }
        for (RightOwner owner : database.getAllUsersAndRoles()) {
            if (!owner.getName().equals(INTERNAL_USER)) {
                add(lines, owner);
            }
        }
        for (Right right : database.getAllRights()) {
            add(lines, right);
        }
        for (Comment comment : database.getAllComments()) {
            add(lines, comment);
        }
        lines.add(H2Settings.of(database).toString());
        return new CatalogSignature(lines);
    }

    private static boolean shared(SchemaObject object) {
        if (object instanceof TriggerObject || object instanceof Table) {
            return false;
        }
        if (object instanceof Sequence sequence) {
            return !sequence.getBelongsToTable();
        }
        if (object instanceof Index index) {
            return !index.getIndexType().getBelongsToConstraint()
                    && !index.getIndexType().isPrimaryKey();
        }
        return true;
    }

    private static void add(List<String> lines, DbObject object) {
        String sql = object instanceof Constraint constraint
                ? constraint.getCreateSQLWithoutIndexes()
                : object.getCreateSQL();
        if (sql != null) {
            lines.add(OWN.matcher(sql).replaceAll(""));
        }
    }

    /** Returns the tables whose rows Satellites hold. */
    static List<MVTable> tables(Database database) {
        List<MVTable> tables = new ArrayList<>();
        for (Schema schema : database.getAllSchemasNoMeta()) {
            for (Table table : schema.getAllTablesAndViews(null)) {
                if (table instanceof MVTable stored && !table.isTemporary()) {
                    tables.add(stored);
                }
            }
        }
        return tables;
    }

    static TableName name(MVTable table) {
        return new TableName(table.getSchema().getName(), table.getName());
    }

    static List<Sequence> sequences(Database database) {
        List<Sequence> sequences = new ArrayList<>();
        for (Schema schema : database.getAllSchemasNoMeta()) {
            sequences.addAll(schema.getAllSequences());
        }
        return sequences;
    }

    static List<User> users(Database database) {
        List<User> users = new ArrayList<>();
        for (RightOwner owner : database.getAllUsersAndRoles()) {
            if (owner instanceof User user && !owner.getName().equals(INTERNAL_USER)) {
                users.add(user);
            }
        }
        return users;
    }
}
