package io.multimed.endpoint.pg.session.settings;

import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.loop.LiteralSettings;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a session that every backend serving it must receive.
 *
 * <p>It has more fields than other classes, since each report of the engine changes the settings, the defaults and the literals that
 * follow from them together, and so does each message under way that may set them.
 */
public final class SessionVariables {
    private static final String APPLICATION_NAME = "application_name";

    private static final Set<String> ROLES = Set.of("role", "session_authorization");

    private final BackendSettings atStart;
    private final Map<String, String> startup;
    private final ChosenSettings chosen;
    private final Map<String, String> reported;
    private final String applicationNameToldAtStart;

    private final Placeholders placeholders;

    private final NameResolution names = new NameResolution();
    private BackendSettings settings;
    private SessionDefaults defaults;
    /** Whether an unanswered message resets settings. */
    private boolean resetting;

    /** The {@link LiteralSettings} that the engine does not report. */
    private Map<String, String> otherLiteralSettings = Map.of();
    /** Whether the open transaction has set any of the {@link LiteralSettings}. Its end may undo that. */
    private boolean setsLiterals;
    /** Whether an unanswered message may change any of them. */
    private boolean changesLiterals;
    /** The settings by which the engine reads the messages behind that; null if they are known. */
    private @Nullable LiteralSettings unknownLiterals;

    /**
     * Creates the variables of a session.
     *
     * @param reported parameters as the client has received them; updated when the engine reports changes
     * @param applicationName the name that the client gave; null if it gave none
     * @param key the kind of connection that the session needs, with the other start-up parameters
     * @param chosen the settings of Multimed itself among them
     */
    public SessionVariables(
            Map<String, String> reported, @Nullable String applicationName, PoolKey key, ChosenSettings chosen) {
        this.reported = reported;
        applicationNameToldAtStart = reported.getOrDefault(APPLICATION_NAME, "");
        startup = key.startup();
        placeholders = new Placeholders(key);
        atStart = applicationName == null || applicationName.isEmpty()
                ? BackendSettings.NONE
                : new BackendSettings(Map.of(APPLICATION_NAME, applicationName));
        settings = atStart;
        this.chosen = chosen;
        defaults = SessionDefaults.of(reported, settings.values());
    }

    /** The settings that every backend serving the session must receive. */
    public BackendSettings settings() {
        return settings;
    }

    /**
     * Whether the session has set the parameter of this name, at its start or since.
     *
     * @param name in lower case
     */
    public boolean sets(String name) {
        return isAmong(settings.values().keySet(), name) || isAmong(startup.keySet(), name);
    }

    /** Ignores case, since PostgreSQL spells some names with capitals and clients choose their own spelling. */
    private static boolean isAmong(Set<String> names, String name) {
        if (names.contains(name)) {
            return true;
        }
        for (String other : names) {
            if (other.equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** The way in which an engine resolves names in statements that are prepared now. */
    public NameResolution names() {
        return names;
    }

    /** The settings by which the engine reads literals in messages sent now. */
    public LiteralSettings literals() {
        return unknownLiterals != null ? unknownLiterals : LiteralSettings.of(reported, otherLiteralSettings);
    }

    /** Whether the engine reads literals in messages sent now by these settings. */
    public boolean areLiterals(LiteralSettings others) {
        return unknownLiterals != null ? unknownLiterals.equals(others) : others.are(reported, otherLiteralSettings);
    }

    /**
     * Whether these are the session's settings. If so, the same object is used from now on, since every unit makes this comparison.
     */
    public boolean are(BackendSettings others) {
        if (!settings.equals(others)) {
            return false;
        }
        settings = others;
        return true;
    }

    /** The characteristics that apply when statements state none. */
    public SessionDefaults defaults() {
        return defaults;
    }

    /** Whether the engine's defaults, and nothing that the session has set, decide how a read runs and what its names denote. */
    public boolean areOrdinary() {
        return defaults.isolation() != Isolation.SERIALIZABLE
                && !resetting
                && !setsLiterals
                && !changesLiterals
                && unknownLiterals == null
                && names.isOrdinary();
    }

    /** The parameters with a qualified name that it has ever set. */
    public Placeholders placeholders() {
        return placeholders;
    }

    /**
     * Notes that a statement that sets parameters by a function is being sent.
     *
     * @return whether the parameters can be determined afterwards, which is impossible for a name given as a parameter or computed,
     *     and for a seed
     */
    public boolean mayBeSetBy(String sql) {
        return placeholders.mayBeSetBy(sql);
    }

    /**
     * Notes that code, or SQL whose text alone is known, is being sent.
     *
     * @return whether the parameters can be determined afterwards
     */
    public boolean mayBeSetByCode(String sql) {
        return placeholders.mayBeSetByCode(sql);
    }

    /** Whether a statement that sets parameters by a function sets the role that executes the next statements. */
    public static boolean mayBeRoleSetBy(String sql) {
        for (String name : Placeholders.setByFunction(sql)) {
            if (ROLES.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Notes the statements that are being sent. Their choices of Multimed's settings apply at once, also for the rest of their
     * transaction.
     *
     * @param inBlock whether a transaction block is open
     */
    public void sent(List<Statement> statements, boolean inBlock) {
        names.sent(statements, inBlock);
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            literalsBehind(statement);
            if (statement instanceof Statement.Set set) {
                placeholders.add(set.name());
            } else if (statement instanceof Statement.Reset reset) {
                placeholders.add(reset.name());
            }
            if (mayResetApplicationName(statement)) {
                resetting = true;
            } else if (statement instanceof Statement.Set set
                    && set.value() != null
                    && MultimedSettings.chooses(set.name())) {
                Map<String, String> now = new HashMap<>(settings.values());
                now.put(set.name(), set.value());
                chosen.choose(now, set.local());
            }
        }
    }

    /** Whether the statement may reset the application name to its default. */
    public static boolean mayResetApplicationName(Statement statement) {
        return switch (statement) {
            case Statement.Reset reset -> reset.name() == null || reset.name().equals(APPLICATION_NAME);
            case Statement.Set set -> set.value() == null && set.name().equals(APPLICATION_NAME);
            case Statement.Discard ignored -> true;
            default -> false;
        };
    }

    /** The present application name, as far as engines have reported what the session has set. */
    public String applicationName() {
        return settings.values().getOrDefault(APPLICATION_NAME, applicationNameToldAtStart);
    }

    /** The application name that the client gave; empty if it gave none. */
    public Optional<String> applicationNameAtStart() {
        return Optional.ofNullable(atStart.values().get(APPLICATION_NAME));
    }

    private void literalsBehind(Statement statement) {
        if (changesLiterals && unknownLiterals == null) {
            unknownLiterals = LiteralSettings.unknown();
        }
        if (LiteralSettings.maySet(statement)) {
            setsLiterals = true;
            changesLiterals = true;
        } else if (setsLiterals && (statement.endsTransaction() || statement instanceof Statement.RollbackTo)) {
            changesLiterals = true;
        }
    }

    /** Notes that all messages sent have been answered. */
    public void answered() {
        resetting = false;
        changesLiterals = false;
        unknownLiterals = null;
    }

    /**
     * Ends the settings that were made for the transaction alone.
     *
     * @param uncertain whether other residue of the transaction is not known yet or keeps the session on its engine connection
     */
    public void transactionEnded(boolean uncertain) {
        names.transactionEnded(uncertain);
        setsLiterals = false;
        chosen.transactionEnded(settings.values());
    }

    /**
     * Applies the latest settings after the loss of the engine that would have reported them.
     *
     * @param left the values by name; null stands for the default
     */
    public void haveBeenSet(Map<String, @Nullable String> left) {
        Map<String, String> now = new HashMap<>(settings.values());
        left.forEach((name, value) -> {
            now.keySet().removeIf(name::equalsIgnoreCase);
            if (value != null) {
                now.put(name, value);
            }
        });
        are(now);
    }

    /** Applies the settings that the engine has reported. */
    public void are(Map<String, String> set) {
        Map<String, String> now = new HashMap<>(atStart.values());
        now.putAll(set);
        settings = now.isEmpty() ? BackendSettings.NONE : new BackendSettings(now);
        placeholders.are(now);
        defaults = SessionDefaults.of(reported, settings.values());
        otherLiteralSettings = LiteralSettings.others(settings.values());
        names.searchPath(settings.values().getOrDefault("search_path", ""));
        chosen.are(settings.values());
    }

    /**
     * Returns the value that the client is sent when the engine reports a parameter. The application name from the start was set
     * later in the engine session, so the empty name after a RESET stands for that name.
     */
    public String reportedTo(String name, String value) {
        return name.equals(APPLICATION_NAME) && value.isEmpty() && resetting ? applicationNameToldAtStart : value;
    }
}
