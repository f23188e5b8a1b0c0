package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The lists of functions, words and relations of the system. */
class ListsOnPostgresqlTest extends OnEachPostgresql {
    ListsOnPostgresqlTest(EngineBinaries binaries) {
        assertEquals(binaries, master.binaries());
    }

    private static Set<String> names(String query) throws SQLException {
        Set<String> names = new TreeSet<>();
        rows(query).forEach(row -> names.add(row.get(0)));
        return names;
    }

    @Test
    void everyFunctionOfTheServerStandsInTheList() throws Exception {
        Map<String, String> volatilities = new TreeMap<>();
        for (List<String> row : rows("SELECT proname, provolatile FROM pg_proc"
                + " WHERE pronamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)")) {
            volatilities.merge(row.get(0), row.get(1), String::concat);
        }
        Set<String> missing = new TreeSet<>(volatilities.keySet());
        missing.removeAll(BuiltInFunctions.all().keySet());
        assertEquals(Set.of(), missing);
        Set<String> notImmutable = new TreeSet<>();
        volatilities.forEach((name, volatility) -> {
            boolean listed = BuiltInFunctions.section(name) == BuiltInFunctions.Section.IMMUTABLE;
            if (listed && !volatility.matches("i+")) {
                notImmutable.add(name);
            }
        });
        assertEquals(Set.of(), notImmutable, "must stand in a reviewed section");
    }

    @Test
    void theListHoldsNoFunctionThatTheServerDoesNotHave() throws Exception {
        if (master.binaries().major() < 18) {
            return;
        }
        Set<String> unknown = new TreeSet<>(BuiltInFunctions.all().keySet());
        unknown.removeAll(names("SELECT proname FROM pg_proc"));
        // Functions of earlier releases that are supported.
        unknown.removeIf(name -> name.startsWith("pg_stat_get_bgwriter_")
                || name.startsWith("pg_stat_get_buf_")
                || name.startsWith("pg_stat_get_checkpoint")
                || Set.of(FORMER.split(" ")).contains(name));
        assertEquals(Set.of(), unknown);
    }

    private static final String FORMER =
            "interval_accum interval_accum_inv interval_combine pg_read_file_old pg_rotate_logfile_old pg_timezone_abbrevs";

    @Test
    void noRefusedFunctionCanBeCalledWithoutParentheses() throws Exception {
        Set<String> callable = names("SELECT proname FROM pg_proc p JOIN pg_type t ON t.oid = p.proargtypes[0]"
                + " WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.pronargs - p.pronargdefaults <= 1"
                + " AND p.prokind <> 'p' AND (t.typtype = 'c' OR t.typname IN ('record', 'anyelement', 'any',"
                + " 'anynonarray', 'anycompatible', 'anycompatiblenonarray'))");
        Names names = new Names(DatabaseCatalog.EMPTY, ClassifierOptions.DEFAULT);
        Set<String> momentary = new TreeSet<>(callable);
        momentary.removeIf(name -> BuiltInFunctions.section(name) != BuiltInFunctions.Section.MOMENT);
        assertEquals(Set.of(), momentary);
        callable.removeIf(name -> BuiltInFunctions.harmless(name)
                || !names.functionalNotation(name).harmless());
        assertEquals(Set.of(), callable);
    }

    @Test
    void noOperatorOrCastRunsARefusedFunction() throws Exception {
        Set<String> functions = names("SELECT proname FROM pg_proc"
                + " WHERE oid IN (SELECT oprcode FROM pg_operator UNION SELECT castfunc FROM pg_cast)");
        Set<String> momentary = new TreeSet<>(functions);
        momentary.removeIf(name -> BuiltInFunctions.section(name) != BuiltInFunctions.Section.MOMENT);
        assertEquals(Set.of("timetz"), momentary, "not called by name: recognised by the type's");
        functions.removeIf(BuiltInFunctions::harmless);
        assertEquals(Set.of(), functions);
    }

    @Test
    void wordsOfTheLanguageNameNoRefusedFunction() throws Exception {
        Set<String> functions = names("SELECT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace");
        functions.retainAll(KeyWords.constructsThatMayNameFunctions());
        functions.removeIf(name ->
                BuiltInFunctions.harmless(name) && BuiltInFunctions.section(name) != BuiltInFunctions.Section.MOMENT);
        assertEquals(Set.of(), functions);
    }

    @Test
    void keyWordsAreThoseOfTheServer() throws Exception {
        Set<String> wrong = new TreeSet<>();
        for (List<String> row : rows("SELECT word, catcode FROM pg_get_keywords()")) {
            String word = row.get(0);
            boolean reserved = row.get(1).equals("R");
            if (!KeyWords.isKeyWord(word) || (KeyWords.isReserved(word) && !reserved)) {
                wrong.add(word + " " + row.get(1));
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void relationsOfTheSystemReadNothingOfTheNode() throws Exception {
        Names names = new Names(DatabaseCatalog.EMPTY, ClassifierOptions.DEFAULT);
        Judge judge = new Judge(names, false);
        Set<String> wrong = new TreeSet<>();
        for (List<String> row :
                rows("SELECT c.relname, n.nspname, CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) END"
                        + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')")) {
            String name = row.get(0);
            boolean allowed = row.get(1).equals("information_schema") || !SystemRelations.masterOnly(name);
            if (row.get(2) == null) {
                if (!allowed) {
                    wrong.add(name + " is a table but not listed");
                }
            } else if (allowed) {
                Verdict verdict = judge.judgeDefinition(Tokens.of(row.get(2)).withoutSemicolon());
                if (!verdict.harmless()) {
                    wrong.add(name + " " + verdict.because());
                }
                if (verdict.momentary() && !SystemRelations.momentary(name)) {
                    wrong.add(name + " depends on the moment");
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    /** Judges as in a database of which a partial Satellite carries tables. */
    private static boolean isForPartials(String sql) {
        Names names = new Names(new DatabaseCatalog.Builder().holders(1).build(), ClassifierOptions.DEFAULT);
        return new Judge(names, false).judge(Tokens.of(sql)).holders() != 0;
    }

    @Test
    void everyHarmlessFunctionIsTheSameOnPartialsOrNot() throws Exception {
        Set<String> missing = names(
                "SELECT proname FROM pg_proc WHERE pronamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)");
        missing.removeIf(name -> !BuiltInFunctions.harmless(name)
                || BuiltInFunctions.section(name) == BuiltInFunctions.Section.IMMUTABLE);
        missing.removeAll(FunctionsOnPartials.all().keySet());
        assertEquals(Set.of(), missing);
        Set<String> needless = new TreeSet<>(FunctionsOnPartials.all().keySet());
        needless.removeIf(name -> BuiltInFunctions.harmless(name)
                && (BuiltInFunctions.section(name) != BuiltInFunctions.Section.IMMUTABLE
                        || !FunctionsOnPartials.areSame(name)));
        assertEquals(Set.of(), needless);
    }

    @Test
    void functionsThatAreTheSameOnPartialsLookNothingUp() throws Exception {
        Set<String> wrong = new TreeSet<>();
        for (List<String> row : rows("SELECT p.proname, EXISTS (SELECT FROM pg_type t"
                + " WHERE t.oid = ANY (p.prorettype || p.proargtypes::oid[] || p.proallargtypes)"
                + " AND t.typname ~ '^_?reg'), CASE WHEN l.lanname = 'sql'"
                + " THEN coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) END"
                + " FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang"
                + " WHERE p.pronamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)")) {
            String name = row.get(0);
            if (!BuiltInFunctions.harmless(name) || !FunctionsOnPartials.areSame(name)) {
                continue;
            }
            if (row.get(1).equals("t") && !BY_CONFIGURATION.contains(name) && !name.matches("reg.*(recv|send)")) {
                wrong.add(name + " names objects");
            }
            if (row.get(2) != null && !isForPartials(row.get(2).replaceFirst("(?i)^BEGIN ATOMIC", "SELECT 1"))) {
                wrong.add(name + ": " + row.get(2));
            }
        }
        assertEquals(Set.of(), wrong);
    }

    /** Their only object is a configuration of text search, which every node has. */
    private static final Set<String> BY_CONFIGURATION = Set.of(
            "json_to_tsvector",
            "jsonb_to_tsvector",
            "phraseto_tsquery",
            "plainto_tsquery",
            "to_tsquery",
            "to_tsvector",
            "ts_headline",
            "websearch_to_tsquery");

    @Test
    void functionsThatAreNotTheSameOnPartialsKeepReadsFromThem() throws Exception {
        Set<String> wrong = new TreeSet<>();
        FunctionsOnPartials.all().forEach((name, section) -> {
            boolean same = section == FunctionsOnPartials.Section.SAME;
            for (String call : List.of("SELECT %s(1)", "SELECT \"%s\"(1)", "SELECT x.y, pg_catalog.%s(1)")) {
                String sql = call.formatted(name);
                if (same && KeyWords.isKeyWord(name)) {
                    continue;
                }
                if (isForPartials(sql) != same) {
                    wrong.add(sql);
                }
            }
        });
        assertEquals(Set.of(), wrong);
        Set<String> unnamed = names("SELECT proname FROM pg_proc"
                + " WHERE oid IN (SELECT oprcode FROM pg_operator UNION SELECT castfunc FROM pg_cast)");
        unnamed.removeIf(FunctionsOnPartials::areSame);
        assertEquals(Set.of("regclass"), unnamed, "recognised by the type, and by functions that have such arguments");
    }

    @Test
    void catalogsAndTypesThatNameObjectsKeepReadsFromPartials() throws Exception {
        Set<String> wrong = names("SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')");
        wrong.removeIf(name -> !isForPartials("SELECT * FROM " + name));
        assertEquals(Set.of(), wrong);
        Set<String> types = names("SELECT typname FROM pg_type WHERE typname ~ '^_?reg'");
        types.removeIf(name -> !isForPartials("SELECT 'x'::" + name));
        assertEquals(Set.of(), types);
        Set<String> columns =
                names("SELECT attname FROM pg_attribute WHERE attrelid = 'pg_class'::regclass AND attnum < 0");
        columns.remove("tableoid");
        columns.removeIf(name -> !isForPartials("SELECT " + name));
        assertEquals(Set.of(), columns);
    }
}
