package io.multimed.jdbc.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.h2.command.dml.SetTypes;
import org.h2.engine.DbSettings;
import org.hsqldb.persist.HsqlDatabaseProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGProperty;
import org.sqlite.SQLiteConfig;

/** Tests that options of Multimed without effect are refused with the right form, and that all options of the engines pass. */
class MisplacedOptionsTest {
    private static final Map<String, String> VALUES = Map.of(
            "replicas", "3",
            "policy", "sticky",
            "propagation", "statements",
            "freshness", "session",
            "route", "master",
            "patience", "1s",
            "comparison", "1");

    /** Returns, for each kind of URL, the part in front of the options and the separator of options. */
    private static Stream<List<String>> urls() {
        return Stream.of(
                List.of("jdbc:multimed:h2:mem:shop", ";"),
                List.of("jdbc:multimed:h2:file:./shop;MODE=MySQL", ";"),
                List.of("jdbc:multimed:hsqldb:mem:shop", ";"),
                List.of("jdbc:multimed:hsqldb:file:shop;shutdown=true", ";"),
                List.of("jdbc:multimed:derby:memory:shop;create=true;propagation=statements", ";"),
                List.of("jdbc:multimed:sqlite:shop.db;propagation=statements", ";"),
                List.of("jdbc:multimed:sqlite:shop.db?foreign_keys=on;propagation=statements", ";"),
                List.of("jdbc:multimed://db1:7432/shop", "?"),
                List.of("jdbc:multimed://db1:7432/shop?ssl=true", "&"));
    }

    private static Set<String> inManyCases(String name) {
        return new LinkedHashSet<>(List.of(
                name,
                name.toUpperCase(Locale.ROOT),
                name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1),
                name.substring(0, 3) + name.substring(3).toUpperCase(Locale.ROOT)));
    }

    /** Returns misspelt forms of a name. */
    private static Set<String> misspelt(String name) {
        Set<String> wrong = new LinkedHashSet<>();
        for (int i = 0; i < name.length(); i++) {
            wrong.add(name.substring(0, i) + name.substring(i + 1));
            wrong.add(name.substring(0, i) + name.charAt(i) + name.substring(i));
            wrong.add(name.substring(0, i) + "x" + name.substring(i + 1));
            if (i > 0) {
                wrong.add(name.substring(0, i - 1) + name.charAt(i) + name.charAt(i - 1) + name.substring(i + 1));
                wrong.add(name.substring(0, i) + "_" + name.substring(i));
            }
        }
        for (String prefix : List.of("multimed.", "multimed_", "multimed-", "multimed")) {
            wrong.add(prefix + name);
        }
        wrong.remove(name);
        return wrong;
    }

    private static void assertRefused(String url, Properties properties, String... forms) {
        SQLException refused =
                assertThrows(SQLException.class, () -> MultimedUrl.parse(url, properties), () -> url + properties);
        assertEquals("22023", refused.getSQLState(), () -> url + ": " + refused.getMessage());
        String said = String.valueOf(refused.getMessage());
        assertTrue(Arrays.stream(forms).anyMatch(said::contains), () -> url + properties + ": " + said);
    }

    @ParameterizedTest
    @MethodSource("urls")
    void anOptionBehindAnotherSignIsRefused(List<String> of) {
        String url = of.get(0);
        String right = of.get(1);
        for (String name : OwnOptions.NAMES) {
            for (String written : inManyCases(name)) {
                for (String sign : List.of(",", ";", "?", "&", "|", "#", " ", ", ", ":")) {
                    boolean takes = sign.equals(right) || (sign.equals(";") && right.equals(";"));
                    if (!takes) {
                        String wrong = url + sign + written + "=" + VALUES.get(name);
                        assertRefused(
                                wrong, new Properties(), right + name + "=", "is for replicas inside this process");
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void aMisspeltOptionIsRefusedWhereverItStands(List<String> of) {
        for (String name : OwnOptions.NAMES) {
            for (String wrong : misspelt(name)) {
                String option = wrong + "=" + VALUES.get(name);
                // A change of one letter may give another option.
                assertRefused(of.get(0) + of.get(1) + option, new Properties(), name + "=");
                assertRefused(of.get(0) + "," + option, new Properties(), name + "=");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void anOptionWithoutAValueIsRefused(List<String> of) {
        for (String name : OwnOptions.NAMES) {
            for (String option : List.of(name, name + ":3", name + " 3", name.toUpperCase(Locale.ROOT))) {
                assertRefused(
                        of.get(0) + of.get(1) + option, new Properties(), of.get(1) + name + "=", "&" + name + "=");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void aMisspeltPropertyIsRefused(List<String> of) {
        for (String name : OwnOptions.NAMES) {
            for (String wrong : misspelt(name)) {
                if (wrong.equals("multimed." + name)) {
                    continue;
                }
                Properties properties = new Properties();
                properties.setProperty(wrong, VALUES.get(name));
                assertRefused(of.get(0), properties, "is called " + name);
            }
        }
    }

    @Test
    void aPropertyMayBeInAnyCaseAndNeedNotBeText() throws SQLException {
        for (String name : List.of("replicas", "Replicas", "REPLICAS", "multimed.replicas", "Multimed.Replicas")) {
            for (Object value : List.of("3", 3)) {
                Properties properties = new Properties();
                properties.put(name, value);
                properties.put("password", "s3cret".toCharArray());
                MultimedUrl.Embedded url = assertInstanceOf(
                        MultimedUrl.Embedded.class, MultimedUrl.parse("jdbc:multimed:h2:mem:shop", properties));
                assertEquals(3, url.options().replicas(), name);
                assertEquals("s3cret", url.credentials().getProperty("password"));
                assertEquals(1, url.credentials().size());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:multimed:h2:mem:shop;replicas=2;replicas=3 | as 2 and as 3",
                "jdbc:multimed:h2:mem:shop;policy=sticky;POLICY=round-robin | as sticky and as round-robin",
                "jdbc:multimed://db1/shop?freshness=strong&freshness=session | as strong and as session"
            })
    void anOptionWithTwoValuesIsRefused(String url, String said) {
        assertRefused(url, new Properties(), said);
    }

    /** The engine's own option in the right form is none of these. */
    @ParameterizedTest
    @MethodSource("urls")
    void theRightFormIsTaken(List<String> of) throws SQLException {
        for (String name : List.of("freshness", "route")) {
            for (String written : inManyCases(name)) {
                MultimedUrl.parse(of.get(0) + of.get(1) + written + "=" + VALUES.get(name), new Properties());
            }
        }
    }

    @Test
    void everyOptionOfAnEnginePassesAsItIs() throws Exception {
        List<String> h2 = new ArrayList<>(SetTypes.getTypes());
        h2.addAll(Arrays.asList(DbSettings.DEFAULT.getSortedSettings()).stream()
                .map(Map.Entry::getKey)
                .toList());
        assertTrue(h2.size() > 60, h2.toString());
        h2.removeAll(List.of("USER", "PASSWORD", "AUTOCOMMIT", "INIT"));
        assertPass("jdbc:multimed:h2:mem:shop;replicas=2", "jdbc:h2:mem:shop", ";", h2);

        List<String> hsqldb = new ArrayList<>();
        for (var field : HsqlDatabaseProperties.class.getFields()) {
            if (field.getType() == String.class && field.get(null) instanceof String name && name.matches("[\\w.]+")) {
                hsqldb.add(name);
            }
        }
        assertTrue(hsqldb.size() > 60, hsqldb.toString());
        assertPass("jdbc:multimed:hsqldb:mem:shop;replicas=2", "jdbc:hsqldb:mem:shop", ";", hsqldb);

        List<String> derby = new ArrayList<>();
        for (var field : org.apache.derby.shared.common.reference.Attribute.class.getFields()) {
            if (field.get(null) instanceof String name && name.matches("\\w+")) {
                derby.add(name);
            }
        }
        derby.removeAll(List.of("user", "password"));
        assertTrue(derby.size() > 20, derby.toString());
        assertPass(
                "jdbc:multimed:derby:memory:shop;propagation=statements;replicas=2",
                "jdbc:derby:memory:shop",
                ";",
                derby);

        List<String> sqlite = Arrays.stream(SQLiteConfig.Pragma.values())
                .map(pragma -> pragma.pragmaName)
                .filter(name -> !name.equals("password"))
                .toList();
        assertEquals(
                "jdbc:sqlite:shop.db?" + String.join("=1&", sqlite) + "=1",
                embedded("jdbc:multimed:sqlite:shop.db?" + String.join("=1&", sqlite)
                                + "=1;propagation=statements;replicas=2")
                        .options()
                        .engineUrl());

        List<String> server = Arrays.stream(PGProperty.values())
                .map(PGProperty::getName)
                .filter(name -> !name.toLowerCase(Locale.ROOT).endsWith("password") && !name.equals("options"))
                .toList();
        MultimedUrl.Remote remote = assertInstanceOf(
                MultimedUrl.Remote.class,
                MultimedUrl.parse(
                        "jdbc:multimed://db1/shop?" + String.join("=1&", server) + "=1&route=master",
                        new Properties()));
        assertEquals("jdbc:postgresql://db1/shop?" + String.join("=1&", server) + "=1", remote.engineUrl());
        Properties properties = new Properties();
        server.forEach(name -> properties.setProperty(name, "1"));
        MultimedUrl.parse("jdbc:multimed://db1/shop", properties);
    }

    private static MultimedUrl.Embedded embedded(String url) throws SQLException {
        return assertInstanceOf(MultimedUrl.Embedded.class, MultimedUrl.parse(url, new Properties()));
    }

    private static void assertPass(String url, String engineUrl, String sign, List<String> names) throws SQLException {
        StringBuilder options = new StringBuilder();
        Properties properties = new Properties();
        for (String name : names) {
            options.append(sign).append(name).append("=1");
            properties.setProperty(name, "1");
        }
        List<String> left =
                List.of(embedded(url + options).options().engineUrl().split(";"));
        assertEquals(List.of((engineUrl + options).split(";")), left);
        MultimedUrl.parse(url, properties);
    }

    /** SQL, passwords and paths may contain anything. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "jdbc:multimed:h2:mem:shop;INIT=UPDATE a SET b=1, policy='x', replicas=3\\;SELECT 1;replicas=2",
                "jdbc:multimed:h2:mem:shop;PASSWORD=a,replicas=3 policy=4;replicas=2",
                "jdbc:multimed:h2:file:/data/replicas=3/policy=a/shop;replicas=2",
                "jdbc:multimed:hsqldb:file:/data/route=3/shop;crypt_key=a,route=4;replicas=2",
                "jdbc:multimed://db1/shop?options=-c%20multimed.freshness=session",
                "jdbc:multimed://db1/shop?password=a;replicas=3",
                "jdbc:multimed://db1/shop?replication=database"
            })
    void whatIsInsideOfTextIsNoOption(String url) throws SQLException {
        MultimedUrl.parse(url, new Properties());
    }
}
