package io.multimed.endpoint.pg.session.settings;

import io.multimed.core.session.SessionFreshness;
import io.multimed.endpoint.pg.backend.Settings;
import io.multimed.endpoint.pg.session.loop.LiteralSettings;
import io.multimed.model.Freshness;
import io.multimed.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of a session: those that every backend serving it must receive, and those that affect Multimed itself. */
public final class SessionVariables {
    private static final String APPLICATION_NAME = "application_name";

    private static final Set<String> ROLES = Set.of("role", "session_authorization");

    private final Settings atStart;
    private final Map<String, String> startup;
    private final Freshness freshnessAtStart;
    private final SessionFreshness freshness;
    private final Map<String, String> reported;
    private final String applicationNameToldAtStart;

    private final Placeholders placeholders = new Placeholders();

    private final boolean snapshotPerTransactionAtStart;
    private boolean snapshotPerTransaction;
    private final boolean readsOnMasterAtStart;
    private boolean readsOnMaster;
    /** Whether SET LOCAL has changed a setting of Multimed until the end of the transaction. */
    private boolean choseLocally;

    private final NameResolution names = new NameResolution();
    private Settings settings;
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
     * @param startup the other start-up parameters
     * @param freshness the freshness that applies unless the client chooses another
     */
    public SessionVariables(
            Map<String, String> reported,
            @Nullable String applicationName,
            Map<String, String> startup,
            Freshness freshness) {
        this.reported = reported;
        applicationNameToldAtStart = reported.getOrDefault(APPLICATION_NAME, "");
        this.startup = startup;
        atStart = applicationName == null || applicationName.isEmpty()
                ? Settings.NONE
                : new Settings(Map.of(APPLICATION_NAME, applicationName));
        settings = atStart;
        Map<String, String> chosenAtStart = MultimedSettings.atStart(startup);
        freshnessAtStart = MultimedSettings.freshness(chosenAtStart, freshness);
        snapshotPerTransactionAtStart = MultimedSettings.snapshotPerTransaction(chosenAtStart, false);
        snapshotPerTransaction = snapshotPerTransactionAtStart;
        readsOnMasterAtStart = MultimedSettings.readsOnMaster(chosenAtStart, false);
        readsOnMaster = readsOnMasterAtStart;
        this.freshness = new SessionFreshness(freshnessAtStart);
        defaults = SessionDefaults.of(reported, settings.values());
    }

    /** The settings that every backend serving the session must receive. */
    public Settings settings() {
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
    public boolean are(Settings others) {
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

    /** The freshness that its reads require. */
    public SessionFreshness freshness() {
        return freshness;
    }

    /** Whether a read-only transaction sees one snapshot even under READ COMMITTED. */
    public boolean snapshotPerTransaction() {
        return snapshotPerTransaction;
    }

    /** Whether its reads must not run on Satellites. A block that has begun on a Satellite ends there. */
    public boolean readsOnMaster() {
        return readsOnMaster;
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
     * Notes that code, or SQL of which only the text is known, is being sent.
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
                choose(now);
                choseLocally |= set.local();
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

    private void choose(Map<String, String> values) {
        freshness.choose(MultimedSettings.freshness(values, freshnessAtStart));
        snapshotPerTransaction = MultimedSettings.snapshotPerTransaction(values, snapshotPerTransactionAtStart);
        readsOnMaster = MultimedSettings.readsOnMaster(values, readsOnMasterAtStart);
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
        if (choseLocally) {
            choseLocally = false;
            choose(settings.values());
        }
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
        settings = now.isEmpty() ? Settings.NONE : new Settings(now);
        placeholders.are(now);
        defaults = SessionDefaults.of(reported, settings.values());
        otherLiteralSettings = LiteralSettings.others(settings.values());
        names.searchPath(settings.values().getOrDefault("search_path", ""));
        choose(settings.values());
    }

    /**
     * Returns the value that the client is sent when the engine reports a parameter. The application name from the start was set
     * later in the engine session, so the empty name after a RESET stands for that name.
     */
    public String reportedTo(String name, String value) {
        return name.equals(APPLICATION_NAME) && value.isEmpty() && resetting ? applicationNameToldAtStart : value;
    }
}
