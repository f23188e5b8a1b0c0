package io.multimed.endpoint.pg.session.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.NotRead;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two sessions share a prepared statement only if an engine resolves its names alike for both. */
class NameResolutionTest {
    private static final Statement READ = new Statement.Read(false);
    private static final Statement INSERT = new Statement.Update(NotRead.WRITES, SessionEffect.NONE, "INSERT");

    private final NameResolution one = new NameResolution();
    private final NameResolution other = new NameResolution();

    private static Statement path(String sql) {
        return new Statement.Set("search_path", sql, sql, true);
    }

    private static void execute(NameResolution session, Statement... statements) {
        session.sent(List.of(statements), true);
        session.takesEffect();
    }

    @Test
    void isAlikeForSessionsWithTheSameSearchPath() {
        assertEquals(one.now(), other.now());
        one.searchPath("a");
        assertNotEquals(one.now(), other.now());
        other.searchPath("a");
        assertEquals(one.now(), other.now());
    }

    @Test
    void isAlikeInBlocksThatSetTheSameSearchPath() {
        execute(one, path("a"));
        execute(other, path("b"));
        assertNotEquals(one.now(), other.now());
        execute(other, path("a"));
        assertEquals(one.now(), other.now());
    }

    @Test
    void staysAsItIsWhileABlockReadsAndWritesTables() {
        execute(
                one,
                READ,
                INSERT,
                new Statement.Savepoint("s"),
                new Statement.RollbackTo("s"),
                new Statement.Commit(false));
        assertEquals(other.now(), one.now());
    }

    static Stream<Statement> statementsThatMayChangeIt() {
        return Stream.of(
                new Statement.Set("role", "r", "r", true),
                new Statement.Set("session_authorization", "r", "r", false),
                new Statement.Reset(null),
                new Statement.Reset("role"),
                new Statement.Discard(Statement.Discard.What.TEMP),
                new Statement.ExecutePrepared("p"),
                new Statement.DeclareCursor(
                        "c", false, new Statement.Update(NotRead.MAY_WRITE, SessionEffect.OPAQUE, "calls f")),
                new Statement.Update(NotRead.MAY_WRITE, SessionEffect.OPAQUE, "ALTER"),
                new Statement.Update(NotRead.MAY_WRITE, SessionEffect.PRIVATE, "CREATE"),
                new Statement.Update(NotRead.MAY_WRITE, SessionEffect.SETTINGS, "calls set_config"));
    }

    @ParameterizedTest
    @MethodSource("statementsThatMayChangeIt")
    void isLikeNobodysBehind(Statement statement) {
        execute(one, statement);
        execute(other, statement);
        assertNotEquals(one.now(), other.now());
        assertNotEquals(new NameResolution().now(), one.now());
        Object now = one.now();
        execute(one, READ);
        assertEquals(now, one.now());
        execute(one, path("a"));
        assertNotEquals(now, one.now());
        one.transactionEnded(false);
        assertEquals(new NameResolution().now(), one.now());
    }

    @Test
    void isLikeNobodysBehindARollbackToWhatWasBeforeAChange() {
        execute(one, path("a"));
        execute(one, new Statement.RollbackTo("s"));
        execute(other, path("a"));
        assertNotEquals(other.now(), one.now());
        assertNotEquals(new NameResolution().now(), one.now());
    }

    @Test
    void isLikeNobodysWhereOneUnitSetsTheSearchPathAmongOthers() {
        execute(one, path("a"), READ);
        execute(other, path("a"), READ);
        assertNotEquals(other.now(), one.now());
    }

    @Test
    void changesWithTheMessageThatExecutesAndNotBefore() {
        Object before = one.now();
        one.sent(List.of(path("a")), true);
        assertEquals(before, one.now());
        one.takesEffect();
        assertNotEquals(before, one.now());
    }

    @Test
    void isLikeNobodysUntilItIsKnownWhatTheTransactionLeftBehind() {
        execute(one, new Statement.Update(NotRead.MAY_WRITE, SessionEffect.OPAQUE, "calls f"));
        one.transactionEnded(true);
        assertNotEquals(other.now(), one.now());
        one.transactionEnded(false);
        assertEquals(other.now(), one.now());
    }

    @Test
    void outdatesPlansOnlyWhereTemporaryObjectsMayBeMade() {
        execute(one, path("a"));
        execute(one, new Statement.Set("role", "r", "r", true));
        assertFalse(one.mayPlansBeOutdated(true));
        execute(one, new Statement.Update(NotRead.MAY_WRITE, SessionEffect.PRIVATE, "CREATE"));
        assertTrue(one.mayPlansBeOutdated(true));
        one.plansAreRemade();
        assertFalse(one.mayPlansBeOutdated(true));
    }

    @Test
    void outdatesPlansOfAnySessionWhereObjectsAreDefined() {
        execute(one, new Statement.Update(NotRead.MAY_WRITE, SessionEffect.OPAQUE, "calls f"));
        assertFalse(one.mayPlansBeOutdated(false));
        execute(one, new Statement.Update(NotRead.MAY_WRITE, SessionEffect.DEFINITION, "CREATE"));
        assertTrue(one.mayPlansBeOutdated(false));
        one.transactionEnded(false);
        assertFalse(one.mayPlansBeOutdated(false));
    }

    @Test
    void outdatesPlansWhereASecondStatementMayMakeTemporaryObjects() {
        Statement call = new Statement.Update(NotRead.MAY_WRITE, SessionEffect.OPAQUE, "calls f");
        execute(one, call);
        assertFalse(one.mayPlansBeOutdated(false));
        execute(one, call);
        assertTrue(one.mayPlansBeOutdated(false));
        one.transactionEnded(false);
        execute(one, call);
        assertFalse(one.mayPlansBeOutdated(false));
    }
}
