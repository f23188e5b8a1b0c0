package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.CatalogSignature;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.hsqldb.Database;
import org.hsqldb.NumberSequence;
import org.hsqldb.SchemaObject;
import org.hsqldb.navigator.RowSetNavigator;
import org.hsqldb.result.Result;

/** The part of an HSQLDB database's catalog that Satellites share, as the statements from which HSQLDB itself would restore it. */
final class HsqlCatalog {
    /** The user with which Satellites are created. No database of an application has it. */
    static final String INTERNAL_USER = "MULTIMED_SATELLITE";

    /** Statements that concern files, this process's log or the transaction mode, or whose objects are in every database. */
    private static final Pattern NOT_SHARED = Pattern.compile(
            "SET FILES .*|SET DATABASE (?:UNIQUE NAME|EVENT LOG"
                    + "|EXTERNAL EVENT LOG|TRANSACTION |DEFAULT ISOLATION|GC|TEXT TABLE).*|CREATE SCHEMA PUBLIC .*"
                    + "|.*\\bSYSTEM_LOBS\\b.*|GRANT USAGE ON DOMAIN INFORMATION_SCHEMA.*|.*" + INTERNAL_USER
                    + ".*|SET TABLE .*",
            Pattern.DOTALL);

    private static final Pattern TRIGGER = Pattern.compile("CREATE TRIGGER .*", Pattern.DOTALL);
    private static final Pattern RESTART = Pattern.compile("ALTER (?:SEQUENCE|TABLE) .* RESTART WITH .*|SET SCHEMA .*");
    /** Names and positions that each database chooses for itself. */
    private static final Pattern OWN = Pattern.compile("\\s*START WITH -?\\d+|SPECIFIC \\S+_\\d+|\\bSYS_\\w+_\\d+|\"");

    private HsqlCatalog() {}

    /** Returns the statements that make a copy of the catalog, in order. */
    static List<String> script(Database database) {
        List<String> script = new ArrayList<>();
        for (String sql : all(database)) {
            if (!NOT_SHARED.matcher(sql).matches() && !TRIGGER.matcher(sql).matches()) {
                script.add(sql);
            }
        }
        return script;
    }

    static List<String> triggers(Database database) {
        List<String> triggers = new ArrayList<>();
        for (String sql : all(database)) {
            if (TRIGGER.matcher(sql).matches()) {
                triggers.add(sql);
            }
        }
        return triggers;
    }

    private static List<String> all(Database database) {
        Result result = database.getScript(false);
        List<String> script = new ArrayList<>();
        RowSetNavigator rows = result.getNavigator();
        rows.beforeFirst();
        while (rows.next()) {
            script.add(String.valueOf(rows.getCurrent()[0]));
        }
        return script;
    }

    /** Returns the script without the parts that may differ between Master and Satellites, comparable. */
    static CatalogSignature signature(Database database) {
        List<String> lines = new ArrayList<>();
        for (String sql : script(database)) {
            if (!RESTART.matcher(sql).matches()) {
                lines.add(OWN.matcher(sql).replaceAll(""));
            }
        }
        return new CatalogSignature(lines);
    }

    /** Returns the sequences with names of their own; those of identity columns are not among them. */
    static List<NumberSequence> sequences(Database database) {
        List<NumberSequence> sequences = new ArrayList<>();
        org.hsqldb.lib.Iterator<SchemaObject> all =
                database.schemaManager.databaseObjectIterator(SchemaObject.SEQUENCE);
        while (all.hasNext()) {
            NumberSequence sequence = (NumberSequence) all.next();
            if (!sequence.getSchemaName().name.equals("SYSTEM_LOBS")) {
                sequences.add(sequence);
            }
        }
        return sequences;
    }
}
