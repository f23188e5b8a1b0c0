package io.multimed.jdbc.replay;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.rows;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.ScriptedH2;
import io.multimed.jdbc.engine.JdbcEngine;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests descriptions of engines: the places where they are found, and the errors for unusable ones. */
class DescribedEnginesTest {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    Path directory;

    /** Work of an application that has these descriptions. */
    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private void with(String services, Work work) throws Exception {
        Path list = directory.resolve("META-INF/services/" + JdbcEngine.class.getName());
        Files.createDirectories(list.getParent());
        Files.writeString(list, services);
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        try (URLClassLoader application =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            current.setContextClassLoader(application);
            work.run();
        } finally {
            current.setContextClassLoader(before);
        }
    }

    private void with(Class<?> description, Work work) throws Exception {
        with(description.getName(), work);
    }

    private static String url(String engine) {
        return "jdbc:multimed:" + engine + ":" + UUID.randomUUID() + ";replicas=2;propagation=statements";
    }

    private static void assertRefused(String engine, String... sentence) {
        SQLException refused = assertThrows(SQLException.class, () -> RepeatedDatabase.connect(url(engine)));
        assertEquals("08001", refused.getSQLState(), refused.toString());
        for (String part : sentence) {
            assertTrue(refused.getMessage().contains(part), refused.getMessage());
        }
    }

    private static void assertServes(String url) throws SQLException {
        try (Connection connection = RepeatedDatabase.connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            assertEquals("1", value(connection, "SELECT A FROM T"));
            assertEquals("satellite: a read by itself", value(connection, "SHOW multimed.route"));
        }
    }

    public static final class OfTheApplication extends ScriptedH2 {
        @Override
        public String name() {
            return "application";
        }
    }

    @Test
    void oneThatTheApplicationHasIsFound() throws Exception {
        with(OfTheApplication.class, () -> assertServes(url("application")));
        assertRefused("application", "knows no engine \"application\"");
    }

    @Test
    void oneBesideTheDriverIsFoundWhateverTheThreadKnows() throws Exception {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        try {
            current.setContextClassLoader(ClassLoader.getPlatformClassLoader());
            assertServes(url("scripted"));
            current.setContextClassLoader(null);
            assertServes(url("scripted"));
        } finally {
            current.setContextClassLoader(before);
        }
    }

    @Test
    void anEngineThatNobodyDescribesIsRefusedWithHowToDescribeIt() {
        assertRefused("firebird", "knows no engine \"firebird\"", JdbcEngine.class.getName(), "docs/jdbc.md");
    }

    /** An engine without replicas needs no propagation, and receives all statements unchanged. */
    @Test
    void itRunsAloneAsWell() throws SQLException {
        try (Connection connection =
                RepeatedDatabase.connect("jdbc:multimed:scripted:" + UUID.randomUUID() + ";replicas=1")) {
            execute(connection, "CREATE TABLE T(A INT DEFAULT RAND())", "INSERT INTO T VALUES (1)");
            assertEquals("1", value(connection, "SELECT A FROM T"));
        }
    }

    public static final class AnotherOne extends ScriptedH2 {}

    @Test
    void twoOfOneNameAreBothNamed() throws Exception {
        with(
                AnotherOne.class,
                () -> assertRefused(
                        "scripted",
                        "The engine scripted is described by ",
                        ScriptedH2.class.getName(),
                        AnotherOne.class.getName(),
                        ": remove all but one of them."));
    }

    public static final class OfDerby extends ScriptedH2 {
        @Override
        public String name() {
            return "derby";
        }
    }

    @Test
    void oneOfAnEngineThatMultimedKnowsIsOneTooMany() throws Exception {
        with(
                OfDerby.class,
                () -> assertRefused("derby:memory", OfDerby.class.getName(), ": remove all but one of them."));
    }

    public static final class NotToBeMade extends ScriptedH2 {
        public NotToBeMade() {
            throw new IllegalStateException("today it does not work");
        }
    }

    @Test
    void oneThatCannotBeLoadedConcernsThoseWhoMayHaveMeantIt() throws Exception {
        with(NotToBeMade.class.getName() + "\ncom.example.NotThere\n", () -> {
            assertRefused(
                    "mine", "No engine mine is described", "correct it, or remove it", NotToBeMade.class.getName());
            assertServes(url("scripted"));
        });
    }

    public static final class WithoutName extends ScriptedH2 {
        @Override
        public String name() {
            throw new UnsupportedOperationException("no name");
        }
    }

    @Test
    void oneThatCannotSayItsNameConcernsThoseWhoMayHaveMeantIt() throws Exception {
        with(WithoutName.class, () -> {
            assertRefused("mine", "No engine mine is described", "correct it, or remove it", "no name");
            assertServes(url("scripted"));
        });
    }

    public static final class WithoutDatabase extends ScriptedH2 {
        @Override
        public String name() {
            return "nodatabase";
        }

        @Override
        public String database(String url) {
            throw new IllegalArgumentException("no such " + url);
        }
    }

    public static final class WithoutRules extends ScriptedH2 {
        @Override
        public String name() {
            return "norules";
        }

        @Override
        public io.multimed.jdbc.engine.SqlRules sql() {
            throw new IllegalArgumentException("no rules");
        }
    }

    public static final class WithoutMaster extends ScriptedH2 {
        @Override
        public String name() {
            return "nomaster";
        }

        @Override
        public void makeMaster(Connection connection) {
            throw new IllegalArgumentException("no master");
        }
    }

    @Test
    void oneThatFailsWhileADatabaseIsOpenedIsNamed() throws Exception {
        for (Class<?> wrong : new Class<?>[] {WithoutDatabase.class, WithoutRules.class, WithoutMaster.class}) {
            JdbcEngine engine = (JdbcEngine) wrong.getDeclaredConstructor().newInstance();
            with(
                    wrong,
                    () -> assertRefused(
                            engine.name(),
                            "The description " + wrong.getName() + " of an engine failed: correct it, or connect by",
                            IllegalArgumentException.class.getName()));
        }
    }

    public static final class WithoutCopies extends ScriptedH2 {
        @Override
        public String name() {
            return "nocopies";
        }

        @Override
        public String restore(Path copy, Path place, String like) throws SQLException {
            throw new SQLException("no room for " + place.getFileName());
        }
    }

    public static final class WithoutSatellites extends ScriptedH2 {
        @Override
        public String name() {
            return "nosatellites";
        }

        @Override
        public void makeApplier(Connection connection) {
            throw new IllegalArgumentException("no appliers");
        }
    }

    @Test
    void oneThatMakesNoReplicasSaysWhatIsInTheWay() throws Exception {
        String advice =
                "The replicas could not be created: remove what is in the way, or use replicas=1. What is in the way: ";
        with(WithoutCopies.class, () -> assertRefused("nocopies", advice + "no room for multimed-"));
        with(WithoutSatellites.class, () -> assertRefused("nosatellites", advice + "no appliers"));
    }

    public static final class WithoutCounts extends ScriptedH2 {
        static volatile boolean fails;

        @Override
        public String name() {
            return "nocounts";
        }

        @Override
        public long rows(Connection connection, Reported reported) throws SQLException {
            if (fails) {
                throw new IllegalArgumentException("no counts");
            }
            return reported.rows();
        }
    }

    /** The failed change must not stay on the Master alone, nor block changes of others. */
    @Test
    void oneThatFailsLaterUndoesTheTransactionAtHand() throws Exception {
        with(WithoutCounts.class, () -> {
            String url = url("nocounts");
            try (Connection connection = RepeatedDatabase.connect(url);
                    Connection other = RepeatedDatabase.connect(url)) {
                execute(connection, "CREATE TABLE T(A INT)");
                WithoutCounts.fails = true;
                assertThrows(IllegalArgumentException.class, () -> execute(connection, "INSERT INTO T VALUES (1)"));
                WithoutCounts.fails = false;
                execute(other, "INSERT INTO T VALUES (2)");
                execute(connection, "INSERT INTO T VALUES (4)");
                assertEquals("6", value(connection, "SELECT SUM(A) FROM T"));
                RepeatedDatabase.assertEqualEverywhere(url, 2, "T");
            }
        });
    }

    public static final class EndingBadly extends ScriptedH2 {
        /** Number of calls of endRead that succeed before one fails. */
        static final AtomicInteger GOOD = new AtomicInteger(Integer.MAX_VALUE);

        @Override
        public String name() {
            return "endingbadly";
        }

        @Override
        public void endRead(Connection reader) throws SQLException {
            if (GOOD.getAndDecrement() == 0) {
                throw new SQLException("the connection is gone", "08006");
            }
            super.endRead(reader);
        }
    }

    /** The engine may have ended before the statement's error as well, so a living engine must judge the statement. */
    @Test
    void aReadThatFailsAndCannotEndFindsAnotherEngine() throws Exception {
        with(EndingBadly.class, () -> {
            String url = url("endingbadly");
            try (Connection connection = RepeatedDatabase.connect(url)) {
                execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (0)");
                assertEquals("0", value(connection, "SELECT A FROM T"));
                assertEquals("satellite: a read by itself", value(connection, "SHOW multimed.route"));
                EndingBadly.GOOD.set(1);
                SQLException failed = assertThrows(SQLException.class, () -> value(connection, "SELECT 1 / A FROM T"));
                assertEquals("22012", failed.getSQLState(), failed.toString());
                long begun = System.nanoTime();
                while (!rows(connection, "SHOW MULTIMED NODES")
                        .get(1)
                        .matches("satellite-1\\|.*\\|serving\\|.*\\|2\\|.*")) {
                    assertTrue(System.nanoTime() - begun < DEADLINE_NANOS, "the satellite is not made anew");
                    Thread.onSpinWait();
                }
                assertEquals("0", value(connection, "SELECT A FROM T"));
            }
        });
    }

    public static final class OfNoUrl extends ScriptedH2 {
        @Override
        public String name() {
            return "nourl";
        }

        @Override
        public Connection connect(String url, Properties properties) throws SQLException {
            return new org.h2.Driver().connect("jdbc:other:" + url, properties);
        }
    }

    @Test
    void oneWhoseDriverDoesNotKnowTheUrlSaysSo() throws Exception {
        with(OfNoUrl.class, () -> assertRefused("nourl", "The driver of nourl does not know its own URL"));
    }
}
