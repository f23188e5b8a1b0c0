package io.multimed.endpoint.pg.session.settings;

import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way in which an engine resolves the names in a statement that the session prepares now. For sessions of one user and database
 * it can differ by {@code search_path}, the role, temporary objects, and definitions of a transaction that is still open.
 *
 * <p>{@link #now} is equal for two sessions only if the engine resolves names alike for both. The search path is the only
 * difference that can be compared. After any other change that may affect the resolution, a session equals no other until its
 * transaction has ended and the engine has reported the residue.
 *
 * <p>A change takes effect with the message that executes it, not with earlier messages of the same segment: {@link #sent} notes
 * it, {@link #takesEffect} applies it. Event loop only.
 */
public final class NameResolution {
    private static final String SEARCH_PATH = "search_path";
    private static final Set<String> SETTINGS = Set.of(SEARCH_PATH, "role", "session_authorization");

    /** The search path that the engine has reported for the session; empty if the session has set none. */
    private record OfSession(String searchPath) {}

    /** The search path that the open transaction block has set, as SQL. */
    private record OfBlock(String searchPath) {}

    /** A value that equals only itself. */
    private static final class Own {}

    private OfSession ofSession = new OfSession("");
    private Object now = ofSession;
    /** The next value of {@link #now}; null if it stays as it is. An {@link Own} stands for a new one. */
    private @Nullable Object change;

    private boolean changeMayHideObjects;
    private boolean changeDefinesObjects;
    /** Whether the open transaction may have created temporary objects. */
    private boolean temporariesMade;
    /** Whether a temporary object may hide another object that existing plans of the engine still use. */
    private boolean temporariesMayHide;
    /** Whether any object may hide another object that existing plans of the engine still use. */
    private boolean objectsMayHide;

    /** The present resolution. It equals that of another session if the engine resolves names alike for both. */
    public Object now() {
        return now;
    }

    /** Whether names are resolved as at any time outside a transaction, and no plan needs to be made anew. */
    boolean isOrdinary() {
        return now == ofSession && change == null && !temporariesMade && !temporariesMayHide && !objectsMayHide;
    }

    /**
     * Notes the statements of a unit that are about to be sent.
     *
     * @param inBlock whether a transaction block is open
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

    /** Applies the change of the statements sent last, because the message that executes them is sent. */
    public void takesEffect() {
        if (change != null) {
            now = change instanceof Own ? new Own() : change;
            // The first temporary object may have created the schema for temporary objects. PostgreSQL then does not
            // notice the next object.
            objectsMayHide |= changeDefinesObjects || (changeMayHideObjects && temporariesMade);
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
     * @param hasTemporarySchema whether it has had temporary objects before; PostgreSQL notices when a session's schema for
     *     temporary objects appears, but not when objects appear in it
     */
    public boolean mayPlansBeOutdated(boolean hasTemporarySchema) {
        return objectsMayHide || (temporariesMayHide && hasTemporarySchema);
    }

    /**
     * Notes that definitions may have been undone. Plans made since those definitions do not notice that an object hides another
     * again.
     */
    public void definitionsUndone() {
        objectsMayHide = true;
    }

    /** Notes that the engine makes its plans anew. */
    public void plansAreRemade() {
        temporariesMayHide = false;
        objectsMayHide = false;
    }

    /**
     * Notes the end of the transaction.
     *
     * @param uncertain whether the transaction may have left something that the engine has not reported yet, or the session keeps
     *     its engine connection because of such residue
     */
    void transactionEnded(boolean uncertain) {
        change = null;
        now = uncertain ? new Own() : ofSession;
        temporariesMade = false;
        temporariesMayHide &= uncertain;
        objectsMayHide &= uncertain;
    }

    /** Sets the session's search path, as the engine has reported it; empty if the session has set none. */
    void searchPath(String path) {
        if (!ofSession.searchPath.equals(path)) {
            boolean same = now == ofSession;
            ofSession = new OfSession(path);
            now = same ? ofSession : now;
        }
    }
}
