package io.multimed.bench.system;

import io.multimed.bench.system.Pgpool.Mode;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.server.config.Suggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The systems of PostgreSQL by the names that the command line knows. */
public final class Systems {
    /** Name of Multimed as it comes. */
    public static final String MULTIMED = "multimed";
    /** Name of the Multimed with a partial Satellite beside the full ones. */
    public static final String C2 = "multimed-c2";
    /** The same with triggers instead of decoding. */
    public static final String C2_TRIGGERS = "multimed-c2-triggers";

    /** Name of the PostgreSQL whose tables another one subscribes to. */
    public static final String SUBSCRIPTION = "subscription";

    /** Name of the PostgreSQL that loses commits in a crash, as a Satellite may. */
    public static final String UNDURABLE = "standalone-undurable";

    /**
     * The options of the systems that have Satellites, a pool or settings.
     *
     * @param settings of PostgreSQL, beyond Multimed's own
     * @param carried by the partial Satellite of {@link Systems#C2}
     * @param engineCores cores of the middleware, the Master and each Satellite; 0: as Multimed plans them
     */
    public record Options(int satellites, int pool, Map<String, String> settings, Carried carried, int engineCores) {
        public Options {
            settings = Map.copyOf(settings);
        }
    }

    private static final Map<String, BiFunction<Equipment<EngineBinaries>, Options, SystemUnderTest>> ALL =
            new LinkedHashMap<>();

    static {
        ALL.put("standalone", (equipment, options) -> standalone(equipment));
        ALL.put(
                "standalone-tuned",
                (equipment, options) -> new Standalone("standalone-tuned", equipment, tuning(equipment, options)));
        ALL.put(
                UNDURABLE,
                (equipment, options) -> new Standalone(UNDURABLE, equipment, undurable(tuning(equipment, options))));
        ALL.put("pgbouncer", (equipment, options) -> new PgBouncer(equipment, standalone(equipment), options.pool()));
        ALL.put("pgpool", (equipment, options) -> new Pgpool(equipment, Mode.REMOTE_APPLY, options.satellites()));
        ALL.put(
                "pgpool-si",
                (equipment, options) -> new Pgpool(equipment, Mode.SNAPSHOT_ISOLATION, options.satellites()));
        ALL.put(SUBSCRIPTION, (equipment, options) -> new Subscribed(SUBSCRIPTION, equipment, options.carried()));
        ALL.put(MULTIMED, multimed(MULTIMED, "memory", "strong", true));
        ALL.put(
                C2,
                (equipment, options) ->
                        new MultimedSystem(C2, equipment, options, "memory", "strong", true, options.carried()));
        ALL.put(
                C2_TRIGGERS,
                (equipment, options) -> new MultimedSystem(
                        C2_TRIGGERS,
                        equipment,
                        options,
                        "memory",
                        "strong",
                        true,
                        options.carried().byTriggers()));
        ALL.put("multimed-c0", multimed("multimed-c0", "disk", "strong", true));
        ALL.put("multimed-session", multimed("multimed-session", "memory", "session", true));
        ALL.put("multimed-eventual", multimed("multimed-eventual", "memory", "eventual", true));
        ALL.put("multimed-uncoalesced", multimed("multimed-uncoalesced", "memory", "strong", false));
    }

    private Systems() {}

    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * @param known names of systems
     * @throws IllegalArgumentException if there is no such system; one sentence
     */
    public static void requireKnown(String name, List<String> known) {
        if (!known.contains(name)) {
            throw new IllegalArgumentException("there is no system '" + name + "'; " + Suggestion.of(name, known));
        }
    }

    public static SystemUnderTest of(String name, Equipment<EngineBinaries> equipment, Options options) {
        BiFunction<Equipment<EngineBinaries>, Options, SystemUnderTest> make = ALL.get(name);
        if (make == null) {
            throw new IllegalStateException(name);
        }
        return make.apply(equipment, options);
    }

    private static BiFunction<Equipment<EngineBinaries>, Options, SystemUnderTest> multimed(
            String name, String storage, String freshness, boolean coalesce) {
        return (equipment, options) ->
                new MultimedSystem(name, equipment, options, storage, freshness, coalesce, Carried.NOTHING);
    }

    private static Standalone standalone(Equipment<EngineBinaries> equipment) {
        return new Standalone("standalone", equipment, Map.of());
    }

    /**
     * Returns the settings that Multimed's Master and in-memory Satellites have for speed, and those chosen for them, as far as
     * a single engine can have them. It cannot have those that rely on a Satellite not having to survive a crash. Schema and
     * indexes are the same anyway.
     */
    private static Map<String, String> tuning(Equipment<EngineBinaries> equipment, Options options) {
        Map<String, String> tuning = new TreeMap<>();
        tuning.put("random_page_cost", "1.1");
        tuning.put("io_method", "sync");
        tuning.put("commit_delay", "500");
        tuning.put("commit_siblings", Integer.toString(5 * equipment.processors()));
        tuning.putAll(options.settings());
        return tuning;
    }

    /**
     * Returns the tuning with a Satellite's durability, to show how much of a gain comes from that alone. (Multimed loses
     * nothing with a Satellite.)
     */
    private static Map<String, String> undurable(Map<String, String> tuning) {
        Map<String, String> undurable = new TreeMap<>(tuning);
        undurable.putAll(Map.of("fsync", "off", "synchronous_commit", "off", "full_page_writes", "off"));
        return undurable;
    }
}
