package io.multimed.endpoint.pg.hba;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of rules are read as PostgreSQL reads them; their mistakes are named with file and line. */
class HbaReaderTest {
    @TempDir
    Path directory;

    private static HbaLogin login(String address, String database, String user, String... roles) {
        return new HbaLogin(
                address.isEmpty() ? null : InetAddress.ofLiteral(address), false, database, false, user, Set.of(roles));
    }

    private HbaRules read(String rules) throws Exception {
        return HbaReader.read(Files.writeString(directory.resolve("pg_hba.conf"), rules), Optional.empty());
    }

    private String method(String rules, HbaLogin login) throws Exception {
        return read(rules).find(login).map(rule -> rule.method().name()).orElse("NONE");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = true,
            quoteCharacter = '`',
            value = {
                "host all all 10.0.0.0/8 trust | 10.1.2.3 | a | u | TRUST",
                "host all all 10.0.0.0/8 trust | 11.1.2.3 | a | u | NONE",
                "host all all 10.0.0.0 255.0.0.0 trust | 10.1.2.3 | a | u | TRUST",
                "host all all ::1/128 trust | ::1 | a | u | TRUST",
                "host all all ::/0 trust | 10.1.2.3 | a | u | NONE",
                "host all all 0.0.0.0/0 trust | ::1 | a | u | NONE",
                "host all all all trust | `` | a | u | NONE",
                "local all all trust | `` | a | u | TRUST",
                "local all all trust | 10.1.2.3 | a | u | NONE",
                "host a,b all all trust | 10.1.2.3 | b | u | TRUST",
                "host a, b all all trust | 10.1.2.3 | b | u | TRUST",
                "host sameuser all all trust | 10.1.2.3 | u | u | TRUST",
                "host sameuser all all trust | 10.1.2.3 | a | u | NONE",
                "host \"sameuser\" all all trust | 10.1.2.3 | sameuser | u | TRUST",
                "host \"all\" all all trust | 10.1.2.3 | a | u | NONE",
                "host \"a b\" all all trust | 10.1.2.3 | a b | u | TRUST",
                "host \"a\"\"b\" all all trust | 10.1.2.3 | a\"b | u | TRUST",
                "host \"a,b\" all all trust | 10.1.2.3 | a,b | u | TRUST",
                "host replication all all trust | 10.1.2.3 | replication | u | NONE",
                "host /^a[0-9]+$ all all trust | 10.1.2.3 | a17 | u | TRUST",
                "host /^a[0-9]+$ all all trust | 10.1.2.3 | ab | u | NONE",
                "host \"/^a{1,2}$\" all all trust | 10.1.2.3 | aa | u | TRUST",
                "host all /^[[:alpha:]]+$ all trust | 10.1.2.3 | a | u1 | NONE",
                "host all +u all trust | 10.1.2.3 | a | u | NONE",
                "host all all all reject # trust | 10.1.2.3 | a | u | REJECT",
                "hostssl all all all trust | 10.1.2.3 | a | u | NONE",
                "hostnossl all all all trust | 10.1.2.3 | a | u | TRUST",
                "hostnogssenc all all all trust | 10.1.2.3 | a | u | TRUST",
                "host all all all md5 | 10.1.2.3 | a | u | SCRAM_SHA_256",
                "local all all ident | `` | a | u | PEER",
            })
    void aRule(String rule, String address, String database, String user, String method) throws Exception {
        assertEquals(method, method(rule, login(address, database, user)));
    }

    @Test
    void membership() throws Exception {
        assertTrue(read("host all +staff all trust").asksForRoles());
        assertFalse(read("host all \"+staff\" all trust").asksForRoles());
        assertEquals("TRUST", method("host all +staff all trust", login("10.0.0.1", "a", "u", "u", "staff")));
        assertEquals("NONE", method("host all +staff all trust", login("10.0.0.1", "a", "u", "u")));
        assertEquals("TRUST", method("host samerole all all trust", login("10.0.0.1", "staff", "u", "u", "staff")));
    }

    @Test
    void theFirstRuleThatConcernsALoginDecides() throws Exception {
        String rules = "host all u all reject\nhost all all all trust\n";
        assertEquals("REJECT", method(rules, login("10.0.0.1", "a", "u")));
        assertEquals("TRUST", method(rules, login("10.0.0.1", "a", "v")));
    }

    @Test
    void replicationBelongsToNoDatabase() throws Exception {
        HbaLogin replicating = new HbaLogin(InetAddress.ofLiteral("10.0.0.1"), false, "", true, "u", Set.of());
        assertEquals("NONE", method("host all all all trust", replicating));
        assertEquals("TRUST", method("host replication all all trust", replicating));
    }

    @Test
    void linesGoOnAndOtherFilesAreRead() throws Exception {
        Files.writeString(directory.resolve("names"), "carol # comment\n\"dave\", erin\n");
        Files.writeString(directory.resolve("more.conf"), "host c all all trust\n");
        Files.createDirectory(directory.resolve("d"));
        Files.writeString(directory.resolve("d").resolve("2.conf"), "host e all all trust\n");
        Files.writeString(directory.resolve("d").resolve("1.conf"), "host e all all reject\n");
        Files.writeString(directory.resolve("d").resolve("1.txt"), "nonsense\n");
        String rules = """
                host a \\
                  @names \\
                  all trust
                include more.conf
                include_if_exists absent.conf
                include_dir d
                """;
        assertEquals("TRUST", method(rules, login("10.0.0.1", "a", "erin")));
        assertEquals("NONE", method(rules, login("10.0.0.1", "a", "comment")));
        assertEquals("TRUST", method(rules, login("10.0.0.1", "c", "u")));
        assertEquals("REJECT", method(rules, login("10.0.0.1", "e", "u")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hosts all all all trust | invalid connection type \"hosts\"",
                "host | end-of-line before database specification",
                "host all | end-of-line before role specification",
                "host all all | end-of-line before IP address specification",
                "host all all 10.0.0.0 | end-of-line before netmask specification",
                "host all all 10.0.0.0/33 trust | invalid CIDR mask in address \"10.0.0.0/33\"",
                "host all all 10.0.0.256/8 trust | specifying both host name and CIDR mask is invalid: \"10.0.0.256/8\"",
                "host all all 10.0.0.0 x trust | invalid IP mask \"x\"",
                "host all all 10.0.0.0 ::1 trust | IP address and mask do not match",
                "host all all all | end-of-line before authentication method",
                "host all all all trusted | invalid authentication method \"trusted\"",
                "host all all all ldap ldapserver=x | authentication method \"ldap\" is not supported by Multimed",
                "host all all all oauth | authentication method \"oauth\" is not supported by Multimed",
                "host all all all peer | peer authentication is only supported on local sockets",
                "host all all all cert | cert authentication is only supported on hostssl connections",
                "host all all all trust maps | authentication option not in name=value format: maps",
                "host all all all trust map=x | authentication option \"map\" is only valid for authentication methods peer and cert",
                "host all all all trust clientcert=verify-ca | clientcert can only be configured for \"hostssl\" rows",
                "hostssl all all all trust clientcert=1 | invalid value for clientcert: \"1\"",
                "hostssl all all all cert clientcert=verify-ca | clientcert only accepts \"verify-full\" when using \"cert\" authentication",
                "hostssl all all all cert clientname=X | invalid value for clientname: \"X\"",
                "host all all all trust a=b | unrecognized authentication option name: \"a\"",
                "host,local all all all trust | multiple values specified for connection type",
                "hostgssenc all all all trust | GSSAPI encryption (hostgssenc) is not supported by Multimed",
            })
    void aMistakeIsNamedWithItsLine(String rule, String message) {
        HbaMistakesException refused =
                assertThrows(HbaMistakesException.class, () -> read("# rules\nlocal all all trust\n" + rule + "\n"));
        assertEquals(List.of(directory.resolve("pg_hba.conf") + ", line 3: " + message), refused.mistakes());
    }

    @Test
    void allMistakesAreNamed() throws Exception {
        Files.writeString(directory.resolve("more.conf"), "\nhost a\n");
        HbaMistakesException refused =
                assertThrows(HbaMistakesException.class, () -> read("include more.conf\nhost /( all all trust\n@x\n"));
        assertEquals(3, refused.mistakes().size(), refused::toString);
        assertTrue(
                refused.mistakes().toString().contains(directory.resolve("more.conf") + ", line 2: end-of-line"),
                refused::toString);
        assertThrows(HbaMistakesException.class, () -> read("# nothing\n"));
        assertThrows(HbaMistakesException.class, () -> read("include pg_hba.conf\n"));
        assertThrows(HbaMistakesException.class, () -> read("include absent.conf\n"));
    }

    @Test
    void mapsOfUsers() throws Exception {
        HbaRules rules = HbaReader.parse(Path.of("rules"), "local all all peer map=os\n", """
                os     root                 postgres
                os     "/^(.*)@example\\.com$"  \\1
                os     /^dba                +staff
                os     operator             all
                other  mallory              postgres
                """);
        HbaLogin postgres = login("", "a", "postgres", "postgres");
        HbaRule rule = rules.find(postgres).orElseThrow();
        assertTrue(rules.permits(rule, "root", postgres));
        assertTrue(rules.permits(rule, "operator", postgres));
        assertFalse(rules.permits(rule, "mallory", postgres));
        assertFalse(rules.permits(rule, "postgres", postgres));
        assertFalse(rules.permits(rule, "dba1", postgres));
        assertTrue(rules.permits(rule, "dba1", login("", "a", "alice", "staff")));
        assertTrue(rules.permits(rule, "alice@example.com", login("", "a", "alice")));
        assertFalse(rules.permits(rule, "bob@example.com", login("", "a", "alice")));
        assertFalse(rules.permits(rule, null, postgres));
    }
}
