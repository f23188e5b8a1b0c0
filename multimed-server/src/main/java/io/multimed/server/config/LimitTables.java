package io.multimed.server.config;

import static io.multimed.server.config.TomlValues.duration;

import io.multimed.endpoint.pg.config.ClientLimits;
import io.multimed.endpoint.pg.config.ClientLimits.Limit;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Reads the tables {@code [limits]}, {@code [limits.users.NAME]} and {@code [limits.databases.NAME]}. */
final class LimitTables {
    private static final Duration LONGEST_LIMIT = Duration.ofDays(30);

    private LimitTables() {}

    /** Reads the tables; what is wrong is among their problems. */
    static ClientLimits read(TomlTable table) {
        Map<String, Map<Limit, Long>> users = limitsByName(
                table.table("users"), EnumSet.of(Limit.MAX_DB_CLIENT_CONNECTIONS, Limit.MAX_DB_CONNECTIONS));
        Map<String, Map<Limit, Long>> databases = limitsByName(
                table.table("databases"), EnumSet.of(Limit.MAX_USER_CLIENT_CONNECTIONS, Limit.MAX_USER_CONNECTIONS));
        ClientLimits limits = new ClientLimits(limits(table, Set.of(Limit.values())), users, databases);
        table.end();
        return limits;
    }

    private static Map<String, Map<Limit, Long>> limitsByName(TomlTable table, EnumSet<Limit> excluded) {
        Set<Limit> kinds = EnumSet.complementOf(excluded);
        Map<String, Map<Limit, Long>> byName = new HashMap<>();
        for (String name : table.names()) {
            TomlTable one = table.table(name);
            byName.put(name, limits(one, kinds));
            one.end();
        }
        return byName;
    }

    private static Map<Limit, Long> limits(TomlTable table, Set<Limit> kinds) {
        Map<Limit, Long> limits = new EnumMap<>(Limit.class);
        for (Limit kind : kinds) {
            if (!kind.isTime()) {
                table.integer(kind.key(), 0, ConfigurationReader.MOST_CLIENTS)
                        .ifPresent(most -> limits.put(kind, (long) most));
            } else if (table.has(kind.key())) {
                limits.put(
                        kind,
                        duration(table, kind.key(), Duration.ZERO, LONGEST_LIMIT)
                                .toMillis());
            }
        }
        return limits;
    }
}
