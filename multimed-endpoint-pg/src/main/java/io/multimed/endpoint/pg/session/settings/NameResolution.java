package io.multimed.endpoint.pg.session.settings;

import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How an engine resolves the names in a statement that the session prepares now, as far as sessions of one user and database
 * can differ in that: by {@code search_path}, the role, temporary objects, and definitions of a transaction that is still open.
 *
 * <p>{@link #now} is equal for two sessions only if the engine resolves names alike for both. The search path is the only
 * difference that can be compared. After anything else that may change the resolution, a session is like no other
 * until its transaction has ended and the engine has told what that left behind.
 *
 * <p>A change takes effect with the message that executes it, not with those before it in the same segment: {@link #sent} notes
 * it, {@link #takesEffect} applies it. Event loop only.
 */
public final class NameResolution {
    private static final String SEARCH_PATH = "search_path";
    private static final Set<String> SETTINGS = Set.of(SEARCH_PATH, "role", "session_authorization");

    /** The search path that the engine has reported for the session; empty if the session has set none. */
    private record OfSession(String searchPath) {}

    /** The search path that the open transaction block has set, as SQL. */
    private record OfBlock(String searchPath) {}

    /** Equal to itself alone. */
    private static final class Own {}

    private OfSession ofSession = new OfSession("");
    private Object now = ofSession;
    /** The next value of {@link #now}; null if it stays as it is. An {@link Own} stands for a new one. */
    private @Nullable Object change;

    private boolean changeMayHideObjects;
    private boolean changeDefinesObjects;
    /** The open transaction may have made temporary objects. */
    private boolean temporariesMade;
    /** A temporary object may hide another, which plans that the engine has made before still use. */
    private boolean temporariesMayHide;
    /** Likewise any object. */
    private boolean objectsMayHide;

    /** Equal to that of another session if the engine resolves names alike for both. */
    public Object now() {
        return now;
    }

    /**
     * The statements of a unit are about to be sent.
     *
     * @param inBlock a transaction block is open
     */
    void sent(List<Statement> statements, boolean inBlock) {
        change = null;
        changeMayHideObjects = false;
        changeDefinesObjects = false;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (mayChange(statement)) {
                change = inBlock && statements.size() == 1 && now.getClass() != Own.class
                        ? afterAlone(statement)
                        : new Own();
                changeMayHideObjects |= mayMakeTemporaryObjects(statement);
                changeDefinesObjects |= statement.effect() == SessionEffect.DEFINITION;
            }
        }
    }

    /** A message that executes what was sent last follows the messages before it. */
    public void takesEffect() {
        if (change != null) {
            now = change instanceof Own ? new Own() : change;
            // The first temporary object may have brought the schema for such objects, so the next goes unnoticed.
            objectsMayHide |= changeDefinesObjects || changeMayHideObjects && temporariesMade;
            temporariesMayHide |= changeMayHideObjects;
            temporariesMade |= changeMayHideObjects;
        }
    }

    private boolean mayChange(Statement statement) {
        return switch (statement) {
            case Statement.Set set -> SETTINGS.contains(set.name());
            case Statement.Reset reset -> reset.name() == null || SETTINGS.contains(reset.name());
            case Statement.Discard discard ->
                discard.what() == Statement.Discard.What.ALL || discard.what() == Statement.Discard.What.TEMP;
            case Statement.RollbackTo ignored -> now != ofSession;
            case Statement.Update update -> update.effect() != SessionEffect.NONE;
            case Statement.ExecutePrepared ignored -> true;
            case Statement.DeclareCursor cursor -> cursor.query().effect() != SessionEffect.NONE;
            default -> statement.endsTransaction() && now != ofSession;
        };
    }

    private static Object afterAlone(Statement statement) {
        return switch (statement) {
            case Statement.Set set
            when set.name().equals(SEARCH_PATH) -> new OfBlock(set.valueSql() == null ? "DEFAULT" : set.valueSql());
            case Statement.Reset reset when SEARCH_PATH.equals(reset.name()) -> new OfBlock("DEFAULT");
            default -> new Own();
        };
    }

    private static boolean mayMakeTemporaryObjects(Statement statement) {
        return statement instanceof Statement.Update || statement instanceof Statement.ExecutePrepared;
    }

    /**
     * Whether an engine session must make its plans anew before it executes a statement that it holds.
     *
     * @param hasTemporarySchema it has had temporary objects before: PostgreSQL itself notices that a session's schema for temporary
     *     objects appears, not what appears in it
     */
    public boolean mayPlansBeOutdated(boolean hasTemporarySchema) {
        return objectsMayHide || temporariesMayHide && hasTemporarySchema;
    }

    /** Definitions may have been undone: plans that were made amid them miss that an object hides another again. */
    public void definitionsUndone() {
        objectsMayHide = true;
    }

    /** The engine makes its plans anew. */
    public void plansAreRemade() {
        temporariesMayHide = false;
        objectsMayHide = false;
    }

    /**
     * The transaction is over.
     *
     * @param uncertain it may have left something behind of which the engine has not told yet, or the session keeps its engine
     *     connection for the sake of such a thing
     */
    void transactionEnded(boolean uncertain) {
        change = null;
        now = uncertain ? new Own() : ofSession;
        temporariesMade = false;
        temporariesMayHide &= uncertain;
        objectsMayHide &= uncertain;
    }

    /** The engine has told the session's search path; empty if the session has set none. */
    void searchPath(String path) {
        if (!ofSession.searchPath.equals(path)) {
            boolean same = now == ofSession;
            ofSession = new OfSession(path);
            now = same ? ofSession : now;
        }
    }
}
