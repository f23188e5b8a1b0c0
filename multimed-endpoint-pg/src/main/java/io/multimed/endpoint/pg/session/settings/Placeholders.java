package io.multimed.endpoint.pg.session.settings;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters with a qualified name that a session has ever set. PostgreSQL keeps such a name until its session ends, even after
 * the value is gone: {@code current_setting(name, true)} is then empty instead of NULL. No view lists the names, so they are
 * collected from the client's statements.
 *
 * <p>All sets are immutable and replaced when they grow. The sets by which connections are distinguished exclude Multimed's own
 * parameters, which every engine has from its start.
 */
public final class Placeholders {
    private static final int MOST = 100;
    private static final String OWN = "multimed.";

    /** A call of set_config, with the name that it sets if that is a plain quoted literal. */
    private static final Pattern SET_CONFIG =
            Pattern.compile("\\bset_config(?:\\s*\\(\\s*'([\\w$.]+)'\\s*,)?", Pattern.CASE_INSENSITIVE);

    /** SET or RESET of a qualified name anywhere in code. */
    private static final Pattern SET_NAME = Pattern.compile(
            "\\b(?:re)?set\\s+(?:local\\s+|session\\s+)?((?:\"[^\"]+\"|[a-z_][\\w$]*)(?:\\.(?:\"[^\"]+\"|[a-z_][\\w$]*))+)",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern CREATES = Pattern.compile("\\s*create\\b", Pattern.CASE_INSENSITIVE);

    /** A SELECT that consists only of calls of set_config. No part of it asks for a parameter, and each call is executed. */
    private static final Pattern ONLY_SETS = Pattern.compile(
            "\\s*select\\s+(?:pg_catalog\\s*\\.\\s*)?set_config\\s*\\([^()]*\\)"
                    + "(?:\\s*,\\s*(?:pg_catalog\\s*\\.\\s*)?set_config\\s*\\([^()]*\\))*\\s*;?\\s*",
            Pattern.CASE_INSENSITIVE);

    /** Names that the session may have set, including Multimed's own parameters. */
    private Set<String> possible = Set.of();
    /** Names that the session may have set, without Multimed's own parameters. */
    private Set<String> marking = Set.of();
    /** Names that the engine has confirmed. */
    private Set<String> present = Set.of();
    /** The kind of connection on which the names of {@link #present} may exist. */
    private PoolKey kind;
    /** The kind of connection with more names that was needed last. */
    private PoolKey wider;

    /**
     * Creates the parameters of a session that has set none.
     *
     * @param key the kind of connection that the session needs
     */
    Placeholders(PoolKey key) {
        kind = key;
        wider = key;
    }

    /** Names that the session may have set, for which the engine is to be asked. */
    public Set<String> possible() {
        return possible;
    }

    /** Names that may exist on every backend that has served the session. */
    public Set<String> marking() {
        return marking;
    }

    /** The kind of connection on which the names that exist for the session may exist. */
    public PoolKey kind() {
        return kind;
    }

    /**
     * The kind of connection on which further names may exist too.
     *
     * @param created names that a unit creates before it can ask for any
     * @param set parameters that the transaction block has set, of which qualified names count
     */
    public PoolKey kindWith(Collection<String> created, Collection<String> set) {
        if (created.isEmpty() && set.isEmpty()) {
            return kind;
        }
        List<String> more = new ArrayList<>(created);
        for (String name : set) {
            if (tellsApart(name)) {
                more.add(name);
            }
        }
        Set<String> names = presentWith(more);
        if (names.equals(kind.names())) {
            return kind;
        }
        if (!names.equals(wider.names())) {
            wider = kind.withNames(names);
        }
        return wider;
    }

    private Set<String> presentWith(Collection<String> more) {
        if (present.containsAll(more)) {
            return present;
        }
        Set<String> all = new HashSet<>(present);
        all.addAll(more);
        return Set.copyOf(all);
    }

    /** Whether it is a qualified name that the session is not known to have. The engine must be asked whether it exists now. */
    public boolean isNew(String name) {
        return tellsApart(name) && !present.contains(name);
    }

    private static boolean tellsApart(String name) {
        return name.indexOf('.') > 0 && !name.startsWith(OWN);
    }

    /** Notes that a statement that may set or reset the parameter is being sent. */
    void add(@Nullable String name) {
        if (name == null || name.indexOf('.') <= 0 || possible.contains(name)) {
            return;
        }
        possible = with(possible, name);
        if (tellsApart(name)) {
            marking = with(marking, name);
        }
    }

    private static Set<String> with(Set<String> names, String name) {
        Set<String> more = new TreeSet<>(names);
        more.add(name);
        return Set.copyOf(more);
    }

    /** Whether there are too many names for the query to the engine. */
    boolean areTooMany() {
        return possible.size() > MOST;
    }

    /** Sets the names that exist, given all settings that the engine has reported. */
    void are(Map<String, String> settings) {
        Set<String> now = new TreeSet<>();
        for (String name : settings.keySet()) {
            if (tellsApart(name)) {
                now.add(name);
            }
        }
        if (!present.equals(now)) {
            present = Set.copyOf(now);
            kind = kind.withNames(present);
        }
        for (String name : now) {
            add(name);
        }
    }

    /**
     * Notes that a statement that sets parameters by a function is being sent.
     *
     * @return whether the parameters can be determined afterwards, which is impossible for a name given as a parameter or computed,
     *     and for a seed
     */
    boolean mayBeSetBy(String sql) {
        Matcher calls = SET_CONFIG.matcher(sql);
        boolean any = false;
        while (calls.find()) {
            String name = calls.group(1);
            if (name == null || name.equalsIgnoreCase("seed")) {
                return false;
            }
            any = true;
            add(name.toLowerCase(Locale.ROOT));
        }
        return any && !areTooMany();
    }

    /**
     * Notes that code, or SQL whose text alone is known, is being sent.
     *
     * @return whether the parameters can be determined afterwards, as far as the text shows
     */
    boolean mayBeSetByCode(String sql) {
        Matcher named = SET_NAME.matcher(sql);
        while (named.find()) {
            add(named.group(1).replace("\"", "").toLowerCase(Locale.ROOT));
        }
        boolean computes = false;
        Matcher calls = SET_CONFIG.matcher(sql);
        while (calls.find()) {
            String name = calls.group(1);
            computes |= name == null;
            add(name == null ? null : name.toLowerCase(Locale.ROOT));
        }
        // A definition is not executed now.
        return (!computes && !areTooMany()) || CREATES.matcher(sql).lookingAt();
    }

    /** The parameters of any name that calls of set_config in this text set, in lower case. */
    static List<String> setByFunction(String sql) {
        return SET_CONFIG
                .matcher(sql)
                .results()
                .map(call -> call.group(1))
                .filter(name -> name != null)
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Names that a text creates by functions before any part of it can ask whether they exist. */
    public static List<String> createdBy(String sql) {
        return ONLY_SETS.matcher(sql).matches()
                ? setByFunction(sql).stream().filter(Placeholders::tellsApart).toList()
                : List.of();
    }

    /** Names that these statements create before one of them can ask whether they exist. */
    public static List<String> createdFirst(List<Statement> statements) {
        List<String> created = List.of();
        for (int i = 0; i < statements.size(); i++) {
            String name;
            switch (statements.get(i)) {
                case Statement.Begin ignored -> {
                    continue;
                }
                case Statement.SetTransaction ignored -> {
                    continue;
                }
                case Statement.Set set -> name = set.name();
                case Statement.Reset reset -> name = reset.name();
                default -> {
                    return created;
                }
            }
            if (name != null && tellsApart(name)) {
                created = created.isEmpty() ? new ArrayList<>(2) : created;
                created.add(name);
            }
        }
        return created;
    }
}
