package io.multimed.jdbc.url;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.ReadPolicy;
import io.multimed.jdbc.MultimedDriver;
import io.multimed.jdbc.backend.EngineDriver;
import io.multimed.model.Freshness;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultimedUrlTest {
    private static MultimedUrl.Embedded embedded(String url, Properties properties) throws SQLException {
        return assertInstanceOf(MultimedUrl.Embedded.class, MultimedUrl.parse(url, properties));
    }

    @Test
    void takesItsOwnOptionsAndPassesAllOthersToTheEngine() throws SQLException {
        MultimedUrl.Embedded url = embedded(
                "jdbc:multimed:h2:mem:shop;MODE=MySQL;replicas=4;policy=least-active;DB_CLOSE_DELAY=-1;freshness=session",
                new Properties());
        assertEquals(
                "jdbc:h2:mem:shop;MODE=MySQL;DB_CLOSE_DELAY=-1", url.options().engineUrl());
        assertEquals(4, url.options().replicas());
        assertEquals(ReadPolicy.LEAST_ACTIVE, url.options().policy());
        assertEquals(Freshness.SESSION, url.options().freshness());
    }

    @ParameterizedTest
    @CsvSource({"'', 1", ";comparison=0, 0", ";comparison=5, 5", ";COMPARISON=5%, 5", ";comparison=100, 100"})
    void theComparisonTakesAPercentOfACoreUnlessToldOtherwise(String option, int percent) throws SQLException {
        assertEquals(
                percent,
                embedded("jdbc:multimed:h2:mem:shop" + option, new Properties())
                        .options()
                        .compare());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "101", "off", "1000", "", "1.5"})
    void aComparisonThatMeansNothingIsRefused(String value) {
        SQLException refused = assertThrows(
                SQLException.class, () -> embedded("jdbc:multimed:h2:mem:shop;comparison=" + value, new Properties()));
        assertEquals("22023", refused.getSQLState());
    }

    @Test
    void takesItsOwnOptionsFromPropertiesToo() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", "SA");
        properties.setProperty("multimed.replicas", "3");
        properties.setProperty("patience", "250ms");
        MultimedUrl.Embedded url = embedded("jdbc:multimed:hsqldb:mem:shop", properties);
        assertEquals(3, url.options().replicas());
        assertEquals(Duration.ofMillis(250), url.options().patience());
        assertEquals("SA", url.credentials().getProperty("user"));
        assertEquals(1, url.credentials().size());
    }

    @Test
    void whoConnectsIsNotPartOfTheDatabasesUrl() throws SQLException {
        MultimedUrl.Embedded url =
                embedded("jdbc:multimed:h2:mem:shop;USER=joe;MODE=MySQL;password=a=b", new Properties());
        assertEquals("jdbc:h2:mem:shop;MODE=MySQL", url.options().engineUrl());
        assertEquals("joe", url.credentials().getProperty("user"));
        assertEquals("a=b", url.credentials().getProperty("password"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "h2:mem:x;USER=joe;PASSWORD=s3cr&et;MODE=MySQL;replicas=2 | h2:mem:x;USER=joe;MODE=MySQL;replicas=2",
                "h2:mem:x;INIT=CREATE USER a PASSWORD 's3cret'\\;SET SCHEMA s;replicas=1 | h2:mem:x;replicas=1",
                "hsqldb:mem:x;password=s3cret;crypt_key=s3cret;user=SA | hsqldb:mem:x;user=SA",
                "derby:memory:x;bootPassword=s3cret;create=true;replicas=1 | derby:memory:x;create=true;replicas=1",
                "sqlite:x?password=s3cret&foreign_keys=on;replicas=1 | sqlite:x?foreign_keys=on;replicas=1",
                "//a/b?user=joe&password=s3cret&sslpassword=s3cret&ssl=true | //a/b?user=joe&ssl=true"
            })
    void whatIsShownOfAUrlIsWithoutSecrets(String url, String shown) throws SQLException {
        MultimedUrl parsed = MultimedUrl.parse("jdbc:multimed:" + url, new Properties());
        assertEquals("jdbc:multimed:" + shown, parsed.url());
    }

    /** A driver may put its URL into an error message, so the URL must not contain passwords. */
    @Test
    void passwordsGoToTheEngineAsProperties() throws SQLException {
        MultimedUrl.Embedded file = embedded("jdbc:multimed:sqlite:x?password=s3cret;replicas=1", new Properties());
        assertEquals("jdbc:sqlite:x", file.options().engineUrl());
        assertEquals("s3cret", file.credentials().getProperty("password"));
        MultimedUrl.Remote server = assertInstanceOf(
                MultimedUrl.Remote.class,
                MultimedUrl.parse("jdbc:multimed://a/b?password=s3%26cret&ssl=true", new Properties()));
        assertEquals("jdbc:postgresql://a/b?ssl=true", server.engineUrl());
        assertEquals("s3&cret", server.properties().getProperty("password"));
    }

    @Test
    void anEventualReadMayStateItsLag() throws SQLException {
        assertEquals(new Freshness.Eventual(Duration.ofMillis(500)), OptionValues.freshness("eventual:500ms"));
    }

    @Test
    void aServersUrlIsThatOfItsWireProtocol() throws SQLException {
        MultimedUrl.Remote url = assertInstanceOf(
                MultimedUrl.Remote.class,
                MultimedUrl.parse(
                        "jdbc:multimed://a:1,b:2/shop?user=joe&freshness=eventual:5s&ssl=true", new Properties()));
        assertEquals("jdbc:postgresql://a:1,b:2/shop?user=joe&ssl=true", url.engineUrl());
        assertEquals("eventual:5s", url.freshness());
        assertFalse(url.onMaster());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "jdbc:multimed:oracle:thin:@x | 08001 | it runs h2 and hsqldb",
                "jdbc:multimed:oracle:thin:@x;propagation=statements | 08001 | says how to add an engine); connect to any other by",
                "jdbc:multimed:mysql://x/y;replicas=1 | 08001 | connect to any other by its own driver",
                "jdbc:multimed:postgresql://x/y | 08001 | by a Multimed server, jdbc:multimed://host:port/database",
                "jdbc:multimed: | 08001 | jdbc:multimed:h2:mem:shop",
                "jdbc:multimed:h2:mem:x;replicas=0 | 22023 | 1 to 64",
                "jdbc:multimed:h2:mem:x;replicas=10000 | 22023 | 1 to 64",
                "jdbc:multimed:h2:mem:x;replicas=two | 22023 | 1 to 64",
                "jdbc:multimed:h2:mem:x;policy=fastest | 22023 | use sticky, least-active or round-robin",
                "jdbc:multimed:h2:mem:x;freshness=stale | 22023 | use strong, session, eventual",
                "jdbc:multimed:h2:mem:x;route=satellite | 22023 | use auto, or master",
                "jdbc:multimed://localhost/x?route=satellite | 22023 | use auto, or master",
                "jdbc:multimed:h2:mem:x;patience=soon | 22023 | 500ms or 2s",
                "jdbc:multimed:h2:mem:x;patience=-1 | 22023 | The time -1 of patience",
                "jdbc:multimed:h2:mem:x;patience=18446744073709551615s | 22023 | 500ms or 2s",
                "jdbc:multimed:h2:mem:x;patience=9000000000000000000s | 22023 | 500ms or 2s",
                "jdbc:multimed:h2:tcp://localhost/x | 0A000 | use mem: or file:",
                "jdbc:multimed:h2:ssl://localhost/x | 0A000 | use mem: or file:",
                "jdbc:multimed:h2:file:/tmp/x;AUTO_SERVER=TRUE | 0A000 | remove AUTO_SERVER=TRUE",
                "jdbc:multimed:hsqldb:hsql://localhost/x | 0A000 | use mem: or file:",
                "jdbc:multimed:hsqldb:https://localhost/x | 0A000 | use mem: or file:",
                "jdbc:multimed:hsqldb:mem:x;propagation=statements | 0A000 | Leave the option out",
                "jdbc:multimed:firebird:x | 08001 | it runs h2 and hsqldb",
                "jdbc:multimed://localhost/x?replicas=3 | 22023 | Remove it"
            })
    void whatMeansNothingIsRefusedWithWhatToDo(String url, String state, String advice) {
        SQLException refused = assertThrows(SQLException.class, () -> DriverManager.getConnection(url));
        assertEquals(state, refused.getSQLState(), refused.getMessage());
        assertTrue(String.valueOf(refused.getMessage()).contains(advice), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:multimed:h2:mem:x;replicas=2", "jdbc:multimed://localhost/x"})
    void aPropertyOfItsOwnThatIsMisspeltIsRefused(String url) {
        Properties properties = new Properties();
        properties.setProperty("multimed.polcy", "sticky");
        SQLException refused = assertThrows(SQLException.class, () -> MultimedUrl.parse(url, properties));
        assertEquals("22023", refused.getSQLState());
        assertTrue(String.valueOf(refused.getMessage()).contains("use replicas, policy"), refused.getMessage());
    }

    @Test
    void tellsToolsItsOwnOptionsWithWhatIsGiven() {
        Properties properties = new Properties();
        properties.setProperty("multimed.policy", "round-robin");
        Map<String, DriverPropertyInfo> options = Arrays.stream(new MultimedDriver()
                        .getPropertyInfo("jdbc:multimed:h2:mem:x;replicas=3;MODE=MySQL", properties))
                .collect(Collectors.toMap(option -> option.name, Function.identity()));
        assertEquals(Set.copyOf(OwnOptions.NAMES), options.keySet());
        assertEquals("3", options.get("replicas").value);
        assertEquals("round-robin", options.get("policy").value);
        assertArrayEquals(new String[] {"statements"}, options.get("propagation").choices);
        assertNull(options.get("freshness").value);
    }

    @Test
    void aServerHasFreshnessAndRouteAlone() {
        DriverPropertyInfo[] options = new MultimedDriver()
                .getPropertyInfo("jdbc:multimed://db1:7432/shop?freshness=session&sslmode=require", new Properties());
        assertEquals(2, options.length);
        assertEquals("freshness", options[0].name);
        assertEquals("session", options[0].value);
        assertEquals("route", options[1].name);
        assertArrayEquals(new String[] {"auto", "master"}, options[1].choices);
    }

    @Test
    void anotherDriversUrlIsNotTaken() throws SQLException {
        assertNull(new MultimedDriver().connect("jdbc:h2:mem:x", new Properties()));
    }

    @Test
    void aMissingEngineIsNamedWithItsArtifact() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
            thread.setContextClassLoader(empty);
            SQLException missing = assertThrows(
                    SQLException.class, () -> EngineDriver.load("h2", "org.h2.NoSuchDriver", "com.h2database:h2"));
            assertEquals("08001", missing.getSQLState());
            assertTrue(String.valueOf(missing.getMessage()).contains("add com.h2database:h2"), missing.getMessage());
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
