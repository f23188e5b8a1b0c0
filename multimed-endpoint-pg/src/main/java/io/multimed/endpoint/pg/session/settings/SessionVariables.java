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

/** What a session has set: what every backend that serves it must be told, and what Multimed itself goes by. */
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
    /** SET LOCAL has chosen something of Multimed's, until the transaction ends. */
    private boolean choseLocally;

    private final NameResolution names = new NameResolution();
    private Settings settings;
    private SessionDefaults defaults;
    /** What is not answered yet resets settings. */
    private boolean resetting;

    /** Of {@link LiteralSettings} those that the engine does not report. */
    private Map<String, String> otherLiteralSettings = Map.of();
    /** The open transaction has set some of {@link LiteralSettings}, which its end may undo. */
    private boolean setsLiterals;
    /** What is not answered yet may change some. */
    private boolean changesLiterals;
    /** By which the engine reads what comes behind that. */
    private @Nullable LiteralSettings unknownLiterals;

    /**
     * @param reported parameters as the client was told; kept up to date as the engine reports them
     * @param applicationName as the client gave it, null if it did not
     * @param startup the other parameters of its start
     * @param freshness what applies unless the client chooses
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

    /** What every backend that serves the session must be told. */
    public Settings settings() {
        return settings;
    }

    /** Whether the session has set the parameter of this name, at its start or since. @param name in lower case */
    public boolean sets(String name) {
        return isAmong(settings.values().keySet(), name) || isAmong(startup.keySet(), name);
    }

    /** PostgreSQL spells some names with capitals, and clients as they like. */
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

    /** How an engine resolves names in what is prepared now. */
    public NameResolution names() {
        return names;
    }

    /** By which the engine reads what is sent now. */
    public LiteralSettings literals() {
        return unknownLiterals != null ? unknownLiterals : LiteralSettings.of(reported, otherLiteralSettings);
    }

    /** Whether the engine reads what is sent now by these. */
    public boolean areLiterals(LiteralSettings others) {
        return unknownLiterals != null ? unknownLiterals.equals(others) : others.are(reported, otherLiteralSettings);
    }

    /** Whether these are the session's; then they are one object from now on, since that is asked for every unit. */
    public boolean are(Settings others) {
        if (!settings.equals(others)) {
            return false;
        }
        settings = others;
        return true;
    }

    /** What its statements get when they state none. */
    public SessionDefaults defaults() {
        return defaults;
    }

    /** What its reads must see. */
    public SessionFreshness freshness() {
        return freshness;
    }

    /** Whether a read-only transaction is to see one snapshot even under READ COMMITTED. */
    public boolean snapshotPerTransaction() {
        return snapshotPerTransaction;
    }

    /** Whether Satellites are to have none of its reads; a block that has begun on one ends there. */
    public boolean readsOnMaster() {
        return readsOnMaster;
    }

    /** The parameters with a qualified name that it has ever set. */
    public Placeholders placeholders() {
        return placeholders;
    }

    /**
     * A statement that sets parameters by a function is being sent.
     *
     * @return whether what it sets can be found out afterwards: a name given as a parameter or computed cannot, nor can a seed
     */
    public boolean mayBeSetBy(String sql) {
        return placeholders.mayBeSetBy(sql);
    }

    /** SQL of which only the text is known, or code, is being sent. @return whether what it sets can be found out afterwards */
    public boolean mayBeSetByCode(String sql) {
        return placeholders.mayBeSetByCode(sql);
    }

    /** Whether a statement that sets parameters by a function sets who executes the next ones. */
    public static boolean mayBeRoleSetBy(String sql) {
        for (String name : Placeholders.setByFunction(sql)) {
            if (ROLES.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Statements are being sent; what they choose of Multimed holds at once, also for the rest of their transaction.
     *
     * @param inBlock a transaction block is open
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

    /** Whether the statement may give the application name its default. */
    public static boolean mayResetApplicationName(Statement statement) {
        return switch (statement) {
            case Statement.Reset reset -> reset.name() == null || reset.name().equals(APPLICATION_NAME);
            case Statement.Set set -> set.value() == null && set.name().equals(APPLICATION_NAME);
            case Statement.Discard ignored -> true;
            default -> false;
        };
    }

    /** As the client gave it; empty if it gave none. */
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

    /** All that was sent has been answered. */
    public void answered() {
        resetting = false;
        changesLiterals = false;
        unknownLiterals = null;
    }

    /**
     * Settings for the transaction alone are over.
     *
     * @param uncertain what else it left behind is not known yet, or keeps the session on its engine connection
     */
    public void transactionEnded(boolean uncertain) {
        names.transactionEnded(uncertain);
        setsLiterals = false;
        if (choseLocally) {
            choseLocally = false;
            choose(settings.values());
        }
    }

    /** These were set last, and the engine that would have told is gone. @param left by name; null: the default */
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

    /** The engine has told what is set now. */
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
     * What the client is told when the engine reports a parameter. Its application name at the start was set afterwards
     * in the engine session, so a RESET there means that name.
     */
    public String reportedTo(String name, String value) {
        return name.equals(APPLICATION_NAME) && value.isEmpty() && resetting ? applicationNameToldAtStart : value;
    }
}
