package io.multimed.server.config;

import static io.multimed.server.config.TomlValues.word;

import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.endpoint.pg.config.RouteRule.Match;
import io.multimed.endpoint.pg.config.RouteRule.Otherwise;
import io.multimed.model.NodeId;
import io.multimed.sql.StatementRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the tables {@code [[routes]]}, and refuses rules that can never send a read anywhere. */
final class RouteTables {
    private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern FULL_SATELLITE = Pattern.compile("satellite-([1-9][0-9]?)");

    private final List<PartialSatellite> partial;
    private final OptionalInt satellites;
    private final List<RouteRule> rules = new ArrayList<>();

    private RouteTables(List<PartialSatellite> partial, OptionalInt satellites) {
        this.partial = partial;
        this.satellites = satellites;
    }

    /** @param satellites number of full Satellites; empty if the planner chooses it */
    static List<RouteRule> read(TomlTable root, List<PartialSatellite> partial, OptionalInt satellites) {
        RouteTables reader = new RouteTables(partial, satellites);
        List<TomlTable> tables = root.tables("routes");
        if (tables.size() > StatementRules.MOST) {
            root.problem("routes", "there can be at most " + StatementRules.MOST + " rules, not " + tables.size());
            return List.of();
        }
        for (int i = 0; i < tables.size(); i++) {
            reader.rule(tables.get(i), "routes[" + i + "]");
        }
        return reader.rules;
    }

    private void rule(TomlTable table, String name) {
        TomlTable conditions = table.table("match");
        Match match = match(conditions);
        boolean complete = !conditions.names().isEmpty();
        if (!complete) {
            table.problem(
                    "match",
                    "is missing or empty; give at least one of tables, shape, database, role and application_name,"
                            + " such as { role = \"reports\" }");
        }
        Otherwise otherwise = word(table, "otherwise", Otherwise.class, Otherwise.MASTER);
        Optional<String> to = destination(table);
        table.end();
        if (to.isEmpty() || !complete) {
            return;
        }
        if (to.get().equals(NodeId.MASTER.name()) && table.has("otherwise")) {
            table.problem("otherwise", "must be left out: the master can answer every read");
        }
        Optional<PartialSatellite> part = partial.stream()
                .filter(satellite -> satellite.id().name().equals(to.get()))
                .findFirst();
        RouteRule rule = new RouteRule(
                name, part.map(node -> ofPart(match, node, conditions)).orElse(match), to.get(), otherwise);
        rules.stream()
                .filter(earlier -> covers(earlier.match(), rule.match()))
                .findFirst()
                .ifPresent(earlier -> table.problem(
                        "match",
                        "is never reached: every read that it matches is decided by " + earlier.name()
                                + ", which comes first (" + earlier.match() + "); put the narrower rule first"));
        rules.add(rule);
    }

    private static Match match(TomlTable table) {
        List<String> tables = table.texts("tables");
        if (table.has("tables") && tables.isEmpty()) {
            table.problem("tables", "must name at least one table, such as [\"public.orders\"]");
        }
        Set<String> once = new HashSet<>();
        for (String name : tables) {
            if (!PartialSatelliteTables.TABLE.matcher(name).matches()) {
                table.problem(
                        "tables",
                        "must name tables with their schemas, written as in SQL, such as \"public.orders\", not \""
                                + name + "\"");
            } else if (!once.add(meaning(name))) {
                table.problem("tables", "names " + name + " twice");
            }
        }
        Optional<String> shape = table.text("shape");
        shape.filter(text -> !FINGERPRINT.matcher(text).matches())
                .ifPresent(text -> table.problem(
                        "shape",
                        "must be a fingerprint of 16 hexadecimal digits, as SHOW CLIENTS in the database multimed shows"
                                + " it, not \"" + text + "\""));
        Match match =
                new Match(tables, shape, table.text("database"), table.text("role"), table.text("application_name"));
        table.end();
        return match;
    }

    private Optional<String> destination(TomlTable table) {
        Optional<String> to = table.text("to");
        if (to.isEmpty()) {
            if (!table.has("to")) {
                table.problem("to", "is missing; it names the node that answers these reads");
            }
            return to;
        }
        Matcher full = FULL_SATELLITE.matcher(to.get());
        List<String> known = names();
        if (!known.contains(to.get()) && !(satellites.isEmpty() && full.matches())) {
            table.problem("to", "there is no node \"" + to.get() + "\"; " + Suggestion.of(to.get(), known));
            return Optional.empty();
        }
        return to;
    }

    /** Returns the names of the nodes that are known before the planner has chosen. */
    private List<String> names() {
        List<String> names = new ArrayList<>(List.of(NodeId.MASTER.name()));
        if (satellites.orElse(1) > 0) {
            names.add(RouteRule.SATELLITES);
        }
        for (int i = 1; i <= satellites.orElse(0); i++) {
            names.add(NodeId.satellite(i).name());
        }
        partial.forEach(satellite -> names.add(satellite.id().name()));
        return names;
    }

    /** Returns the match of a rule for a partial Satellite: it concerns reads in that Satellite's database only. */
    private static Match ofPart(Match match, PartialSatellite part, TomlTable conditions) {
        List<String> carried = part.tables().stream().map(RouteTables::meaning).toList();
        for (String name : match.tables()) {
            // The tables that its queries read are known only where there is a Master.
            if (part.queries().isEmpty() && !carried.contains(meaning(name))) {
                conditions.problem(
                        "tables",
                        part.id() + " does not carry " + name + "; add it to satellites." + part.id()
                                + ".tables, or leave it out here");
            }
        }
        if (match.database().isPresent() && !match.database().get().equals(part.database())) {
            conditions.problem(
                    "database",
                    part.id() + " carries tables of the database \"" + part.database() + "\", not of \""
                            + match.database().get() + "\"");
        }
        return new Match(
                match.tables(), match.shape(), Optional.of(part.database()), match.role(), match.applicationName());
    }

    /** Whether every read that matches {@code later} matches {@code earlier}, too. */
    static boolean covers(Match earlier, Match later) {
        return covers(earlier.shape(), later.shape())
                && covers(earlier.database(), later.database())
                && covers(earlier.role(), later.role())
                && covers(earlier.applicationName(), later.applicationName())
                && (earlier.tables().isEmpty()
                        || (!later.tables().isEmpty() && meanings(earlier).containsAll(meanings(later))));
    }

    private static boolean covers(Optional<String> earlier, Optional<String> later) {
        return earlier.isEmpty() || earlier.equals(later);
    }

    private static Set<String> meanings(Match match) {
        Set<String> meanings = new HashSet<>();
        match.tables().forEach(table -> meanings.add(meaning(table)));
        return meanings;
    }

    /** Returns a form of the name that is the same for all spellings of one table. */
    private static String meaning(String table) {
        StringBuilder meaning = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < table.length(); i++) {
            char c = table.charAt(i);
            quoted ^= c == '"';
            // A doubled quote stands for one, and stays within the quotes.
            if (c != '"' || (quoted && i > 0 && table.charAt(i - 1) == '"')) {
                meaning.append(quoted ? c : String.valueOf(c).toLowerCase(Locale.ROOT));
            }
            if (c == '.' && !quoted) {
                meaning.append('\0');
            }
        }
        return meaning.toString();
    }

    /**
     * Refuses a rule for a Satellite that there is not.
     *
     * @param planned the Satellites, once the planner has chosen
     */
    static void requireNodes(List<RouteRule> rules, Set<String> planned) throws ConfigurationException {
        for (RouteRule rule : rules) {
            if (FULL_SATELLITE.matcher(rule.to()).matches() && !planned.contains(rule.to())) {
                throw new ConfigurationException(rule.name() + ".to: there is no node \"" + rule.to()
                        + "\" with the number of satellites that suits this machine; set satellites.count");
            }
        }
    }
}
