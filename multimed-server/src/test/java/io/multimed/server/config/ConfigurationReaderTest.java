package io.multimed.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.NodeContents;
import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.Configuration.Authentication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationReaderTest {
    @TempDir
    Path directory;

    @Test
    void hasADefaultForEverything() throws ConfigurationException {
        Configuration defaults = ConfigurationReader.defaults(Overrides.NONE);
        assertEquals(new ListenAddress("127.0.0.1", 7432), defaults.endpoint().listen());
        assertEquals(Authentication.TRUST, defaults.endpoint().auth());
        assertEquals(Optional.empty(), defaults.endpoint().tls());
        assertEquals(10_000, defaults.endpoint().maxClients());
        assertEquals(OptionalInt.empty(), defaults.satellites().count());
        assertEquals(Storage.MEMORY, defaults.satellites().storage());
        assertEquals(Path.of("/dev/shm"), defaults.satellites().memoryDirectory());
        assertEquals(Duration.ofMinutes(5), defaults.satellites().holdVacuum());
        assertEquals(Map.of(), defaults.satellites().settings());
        assertEquals(Optional.empty(), defaults.engineBin());
        assertEquals(OptionalInt.empty(), defaults.middleware().cores());
        assertEquals(Duration.ofNanos(50_000), defaults.middleware().busyPoll());
        assertEquals(OptionalInt.empty(), defaults.masterCores());
        assertEquals(Map.of(), defaults.nodes());
        assertEquals(
                new Configuration.Pools(OptionalInt.empty(), OptionalInt.empty(), 100, 100, Duration.ofSeconds(60), 32),
                defaults.pools());
        assertEquals(Freshness.STRONG, defaults.reads().freshness());
        assertEquals(Duration.ofMillis(100), defaults.reads().patience());
        assertEquals(Set.of(), defaults.reads().safeFunctions());
        assertEquals(Optional.of(new ListenAddress("127.0.0.1", 7433)), defaults.metrics());
        assertEquals(Duration.ofSeconds(10), defaults.drain());
        assertEquals(defaults, parse(""));
    }

    @Test
    void readsEverything() throws Exception {
        Files.writeString(directory.resolve("server.crt"), "c");
        Files.writeString(directory.resolve("server.key"), "k");
        Path postgres = Files.writeString(directory.resolve("postgres"), "");
        assertTrue(postgres.toFile().setExecutable(true));
        Configuration read = parse("""
                [endpoint]
                listen = "0.0.0.0:5433"
                auth = "scram-sha-256"
                max_clients = 500
                admin_users = ["boss"]
                stats_users = ["watcher", "prometheus"]
                tls = { certificate = "server.crt", key = "server.key", required = "remote" }
                [satellites]
                count = 3
                storage = "disk"
                memory_directory = "/mnt/ram"
                hold_vacuum = "1h"
                comparison = 5
                [engine]
                bin = "."
                [middleware]
                cores = 2
                busy_poll = "200us"
                [nodes.master]
                cores = 3
                [nodes.master.settings]
                max_connections = 300
                autovacuum = false
                [nodes.satellite.settings]
                random_page_cost = 1.1
                [nodes.satellite-2]
                cpus = "4-5"
                settings = { work_mem = "1GB" }
                [pools]
                master = 20
                satellite = 30
                transactions = 250
                kept_sessions = 0
                idle_in_transaction = "5min"
                reads_per_connection = 1
                [reads]
                freshness = "eventual"
                eventual_lag = "5s"
                patience = "20ms"
                safe_functions = ["shop.total"]
                [metrics]
                listen = "off"
                [shutdown]
                drain = "1min"
                """);
        assertEquals("0.0.0.0:5433", read.endpoint().listen().toString());
        assertEquals(Set.of("boss"), read.endpoint().adminUsers());
        assertEquals(Set.of("watcher", "prometheus"), read.endpoint().statsUsers());
        assertEquals(
                Configuration.TlsRequired.REMOTE,
                read.endpoint().tls().orElseThrow().required());
        assertEquals(
                directory.resolve("server.key"),
                read.endpoint().tls().orElseThrow().key());
        assertEquals(OptionalInt.of(3), read.satellites().count());
        assertEquals(Storage.DISK, read.satellites().storage());
        assertEquals(Duration.ofHours(1), read.satellites().holdVacuum());
        assertEquals(5, read.satellites().comparison());
        assertEquals(Map.of("random_page_cost", "1.1"), read.satellites().settings());
        assertEquals(
                Map.of("max_connections", "300", "autovacuum", "false"),
                read.nodes().get(NodeId.MASTER).settings());
        assertEquals("4-5", read.nodes().get(NodeId.satellite(2)).cpus().toString());
        assertEquals(Duration.ofNanos(200_000), read.middleware().busyPoll());
        assertEquals(OptionalInt.of(3), read.masterCores());
        assertEquals(new Freshness.Eventual(Duration.ofSeconds(5)), read.reads().freshness());
        assertEquals(Optional.empty(), read.metrics());
        assertEquals(Duration.ofMinutes(1), read.drain());
        assertEquals(OptionalInt.of(2), ConfigurationReader.planRequest(read).middlewareCores());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "endpoint.listen = 7432|endpoint.listen: must be text in quotes, not 7432",
                "endpoint.listen = \"localhost\"|endpoint.listen: must be HOST:PORT",
                "endpoint.listen = \"127.0.0.1:99999\"|endpoint.listen: must be HOST:PORT",
                "endpoint.listen = \"0.0.0.0:7432\"|endpoint.listen: 0.0.0.0:7432 can be reached from other machines",
                "endpoint.auth = \"md5\"|endpoint.auth: must be trust or scram-sha-256, not \"md5\"",
                "endpoint.max_clients = 0|endpoint.max_clients: must be a number from 1 to 100000, not 0",
                "endpoint.tls.certificate = \"none.crt\"|endpoint.tls.certificate: there is no file",
                "endpoint = 3|endpoint: is a table, write [endpoint]",
                "endpoint.lisen = \"a\"|endpoint.lisen: there is no such key; did you mean \"listen\"?",
                "satelites.count = 1|satelites: there is no such key; did you mean \"satellites\"?",
                "zzz = 1|zzz: there is no such key; allowed are endpoint, engine, limits, log, metrics",
                "satellites.count = 65|satellites.count: must be a number from 0 to 64, not 65",
                "satellites.count = \"two\"|satellites.count: must be a number from 0 to 64",
                "satellites.storage = \"ram\"|satellites.storage: must be memory or disk, not \"ram\"",
                "engine.bin = \"/nowhere\"|engine.bin: there is no program postgres in /nowhere",
                "nodes.satellite-1.cpus = \"a\"|nodes.satellite-1.cpus: not a list of cpus: a",
                "nodes.satellite-1.cpus = \"\"|nodes.satellite-1.cpus: must name at least one",
                "nodes.master.settings.logging_collector = true|nodes.master.settings.logging_collector: is set by Multimed",
                "reads.safe_functions = [\"f()\"]|reads.safe_functions: must hold names",
                "nodes.slave.cpus = \"1\"|nodes.slave: there is no such node",
                "nodes.master.settings.fsync = false|nodes.master.settings.fsync: is set by Multimed itself",
                "nodes.satellite.settings.Primary_Conninfo = \"\"|nodes.satellite.settings.Primary_Conninfo: is set by",
                "nodes.master.settings.\"a b\" = 1|nodes.master.settings.a b: is not the name of",
                "nodes.master.settings.work_mem = [1]|nodes.master.settings.work_mem: must be a text, a number",
                "pools.master = -3|pools.master: must be a number from 1 to 1000, not -3",
                "reads.freshness = \"fresh\"|reads.freshness: must be strong, session or eventual",
                "satellites.hold_vacuum = \"25h\"|satellites.hold_vacuum: must be at most 24h, not 25h",
                "reads.patience = \"soon\"|reads.patience: must be a length of time such as",
                "reads.patience = \"2h\"|reads.patience: must be at most 5min, not 2h",
                "middleware.busy_poll = \"11ms\"|middleware.busy_poll: must be at most 10ms, not 11ms",
                "middleware.busy_poll = \"10001us\"|middleware.busy_poll: must be at most 10ms, not 10001us",
                "reads.safe_functions = \"f\"|reads.safe_functions: must be a list of texts",
                "metrics.listen = \"127.0.0.1:7432\"|metrics.listen: 127.0.0.1:7432 is where endpoint.listen (127.0.0.1:7432) wants",
                "metrics.listen = \"localhost:7432\"|metrics.listen: localhost:7432 is where endpoint.listen (127.0.0.1:7432) wants",
                "metrics.listen = \"0.0.0.0:7432\"|metrics.listen: 0.0.0.0:7432 is where endpoint.listen (127.0.0.1:7432) wants",
                "metrics.listen = \"on\"|metrics.listen: must be HOST:PORT",
                "metrics.console = \"yes\"|metrics.console: must be true or false",
                "metrics = { listen = \"off\", console = true }|metrics.console: is shown on the port of the metrics, and metrics.listen is \"off\"",
                "metrics = { listen = \"0.0.0.0:7433\", console = true }|metrics.console: 0.0.0.0:7433 can be reached from other machines",
                "metrics.password_file = \"none\"|metrics.password_file: there is no file",
                "metrics.tls = true|metrics.tls: needs the certificate of the endpoint",
                "otlp.endpoint = \"collector:4318\"|otlp.endpoint: must be a URL such as \"http://127.0.0.1:4318\", or \"off\", not",
                "otlp.endpoint = \"http://me:secret@collector:4318\"|otlp.endpoint: must be a URL such as",
                "otlp.endpoint = \"ftp://collector\"|otlp.endpoint: must be a URL such as",
                "otlp.endpoint = \"//127.0.0.1:4318\"|otlp.endpoint: must be a URL such as",
                "otlp.metrics = \"10ms\"|otlp.metrics: must be at least 1s, or \"0s\" for none",
                "otlp.traces = \"all\"|otlp.traces: must be true or false",
                "otlp.headers_file = \"none\"|otlp.headers_file: cannot be read",
                "log.format = \"xml\"|log.format: must be text or json, not",
                "log.slow = \"soon\"|log.slow: must be a length of time such as",
                "log.literals = 1|log.literals: must be true or false",
                "shutdown.drain = \"999999999h\"|shutdown.drain: must be at most 24h, not 999999999h",
                "reads.eventual_lag = \"25h\"|reads.eventual_lag: must be at most 24h, not 25h",
                "engine.bin = \"a\\u0000b\"|engine.bin: Nul character not allowed",
                "satellites.memory_directory = \"\"|satellites.memory_directory: must name a place",
                "endpoint.tls = { certificate = \" \", key = \"\" }|endpoint.tls.key: must name a place",
                "satellites.memory_directory = \"\\u0000\"|satellites.memory_directory: Nul character not allowed",
                "shutdown.drain = 10|shutdown.drain: must be a length of time such as \"50ms\", \"10s\" or \"5min\", not 10",
                "reads.patience = -1|reads.patience: must be a length of time such as \"50ms\", \"10s\" or \"5min\", not -1",
                "satellites.a.serves = \"long\"|satellites.a.tables: must name at least one table, such as [\"public.orders\"]",
                "satellites.a.queries = [\"DELETE FROM t\"]|satellites.a.queries: \"DELETE FROM t\" is not a query",
                "satellites.a.queries = [\"SELECT FROM WHERE\"]|satellites.a.queries: \"SELECT FROM WHERE\" cannot be parsed",
                "satellites.a.queries = [\"SELECT nextval('s')\"]|is not a read that a satellite may execute: calls nextval",
                "satellites.a.tables = [\"orders\"]|satellites.a.tables: must name tables with their schemas",
                "satellites.a.tables = [\"db.shop.orders\"]|satellites.a.tables: must name tables with their schemas",
                "satellites.a.tables = [\"s.t\", \"s.t\"]|satellites.a.tables: names s.t twice",
                "satellites.a.table = [\"s.t\"]|satellites.a.table: there is no such key; did you mean \"tables\"?",
                "satellites.a = { tables = ['s.t'], rows = { 's.t' = 'a > 1' } }|satellites.a.rows: cannot be: a read would find fewer rows",
                "satellites.a = { tables = ['s.t'], columns = { 's.u' = ['a'] } }|satellites.a.columns.s.u: is none of the tables",
                "satellites.a = { tables = ['s.t'], columns = { 's.t' = [] } }|satellites.a.columns.s.t: must list at least the columns by which",
                "satellites.a = { tables = ['s.t'], columns = { 's.t' = ['a.b'] } }|satellites.a.columns.s.t: must list columns, written as in SQL",
                "satellites.a = { tables = ['s.t'], columns = { 's.t' = ['a', 'A'] } }|satellites.a.columns.s.t: lists A twice",
                "satellites.a = { tables = ['s.t'], columns = ['a'] }|satellites.a.columns: is a table",
                "satellites.a.serves = \"most\"|satellites.a.serves: must be all or short or long or rules, not \"most\"",
                "satellites.a.cores = 0|satellites.a.cores: must be a number from 1",
                "satellites.a.indexes = [\"DROP TABLE s.t\"]|satellites.a.indexes: must hold CREATE INDEX and CREATE STATISTICS",
                "satellites.a.settings.fsync = true|satellites.a.settings.fsync: is set by Multimed itself",
                "satellites.A.cores = 1|satellites.A: cannot be the name of a satellite",
                "satellites.satellite-3.cores = 1|satellites.satellite-3: cannot be the name of a satellite",
                "satellites.master.cores = 1|satellites.master: cannot be the name of a satellite",
                "= 3|multimed.toml, line 1, column",
                "a = 1 a = 2|multimed.toml, line 1"
            })
    void namesTheKeyTheReasonAndWhatIsAllowed(String toml, String problem) {
        String message =
                assertThrows(ConfigurationException.class, () -> parse(toml)).getMessage();
        assertTrue(message.contains(problem), message);
    }

    @Test
    void readsPartialSatellites() throws ConfigurationException {
        Configuration read = parse("""
                [satellites]
                count = 0
                [satellites.best-sellers]
                database = "tpcw"
                tables = ["shop.orders", '"My Shop"."a ""b"" c"']
                columns = { "shop.orders" = ["ID", '"State"', "placed"] }
                indexes = ["create unique index on shop.orders (id)", "CREATE STATISTICS s ON a, b FROM shop.orders"]
                serves = "long"
                cores = 3
                settings = { work_mem = "1GB" }
                [satellites.other]
                tables = ["public.item"]
                queries = ["SELECT count(*) FROM orders", "TABLE item"]
                [satellites.third]
                queries = ["SELECT 1 FROM item"]
                """);

        assertEquals(
                List.of(
                        new PartialSatellite(
                                new NodeId("best-sellers"),
                                "tpcw",
                                List.of("shop.orders", "\"My Shop\".\"a \"\"b\"\" c\""),
                                Map.of("shop.orders", Set.of("id", "State", "placed")),
                                List.of(),
                                List.of(
                                        "create unique index on shop.orders (id)",
                                        "CREATE STATISTICS s ON a, b FROM shop.orders"),
                                NodeContents.Takes.LONG,
                                OptionalInt.of(3)),
                        new PartialSatellite(
                                new NodeId("other"),
                                "postgres",
                                List.of("public.item"),
                                Map.of(),
                                List.of("SELECT count(*) FROM orders", "TABLE item"),
                                List.of(),
                                NodeContents.Takes.ALL,
                                OptionalInt.empty()),
                        new PartialSatellite(
                                new NodeId("third"),
                                "postgres",
                                List.of(),
                                Map.of(),
                                List.of("SELECT 1 FROM item"),
                                List.of(),
                                NodeContents.Takes.ALL,
                                OptionalInt.empty())),
                read.partial());
        assertEquals(OptionalInt.of(0), read.satellites().count());
        PlanRequest request = ConfigurationReader.planRequest(read);
        assertEquals(
                Map.of("work_mem", "1GB"),
                request.node(new NodeId("best-sellers")).settings());
        assertEquals(3, request.parts().size());
    }

    private static final String PART = "satellites.part = { database = 'shop', tables = ['s.a', '\"S\".b'] }\n";

    @Test
    void readsRoutes() throws ConfigurationException {
        Configuration read = parse(PART + """
                [[routes]]
                match = { tables = ["S.A"], shape = "0123456789abcdef", role = "r", application_name = "n" }
                to = "part"
                otherwise = "refuse"
                [[routes]]
                match = { database = "other" }
                to = "satellite-3"
                [[routes]]
                match = { role = "r" }
                to = "master"
                """);
        assertEquals(
                List.of(
                        new RouteRule(
                                "routes[0]",
                                new RouteRule.Match(
                                        List.of("S.A"),
                                        Optional.of("0123456789abcdef"),
                                        Optional.of("shop"),
                                        Optional.of("r"),
                                        Optional.of("n")),
                                "part",
                                RouteRule.Otherwise.REFUSE),
                        new RouteRule(
                                "routes[1]",
                                new RouteRule.Match(
                                        List.of(),
                                        Optional.empty(),
                                        Optional.of("other"),
                                        Optional.empty(),
                                        Optional.empty()),
                                "satellite-3",
                                RouteRule.Otherwise.MASTER),
                        new RouteRule(
                                "routes[2]",
                                new RouteRule.Match(
                                        List.of(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.of("r"),
                                        Optional.empty()),
                                "master",
                                RouteRule.Otherwise.MASTER)),
                read.routes());
        ConfigurationReader.requireNodes(read, Set.of("satellite-1", "satellite-2", "satellite-3", "part"));
        ConfigurationException missing = assertThrows(
                ConfigurationException.class,
                () -> ConfigurationReader.requireNodes(read, Set.of("satellite-1", "part")));
        assertTrue(
                missing.getMessage().contains("routes[1].to: there is no node \"satellite-3\""), missing.getMessage());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {match={role='a'},to='parts'}                           | routes[0].to: there is no node "parts"; did you mean "part"?
            {match={role='a'},to='satellite-2'}                     | routes[0].to: there is no node "satellite-2"; did you mean "satellite-1"?
            {match={role='a'}}                                      | routes[0].to: is missing
            {match={role='a'},to=1}                                 | routes[0].to: must be text
            {to='part'}                                             | routes[0].match: is missing or empty
            {match={},to='part'}                                    | routes[0].match: is missing or empty
            {match={rule='a'},to='part'}                            | routes[0].match.rule: there is no such key; did you mean "role"?
            {match={role='a'},to='part',else='wait'}                | routes[0].else: there is no such key
            {match={role='a'},to='part',otherwise='fail'}           | routes[0].otherwise: must be master or wait or refuse
            {match={role='a'},to='master',otherwise='wait'}         | routes[0].otherwise: must be left out
            {match={tables=['s.c']},to='part'}                      | routes[0].match.tables: part does not carry s.c
            {match={tables=['s.b']},to='part'}                      | routes[0].match.tables: part does not carry s.b
            {match={tables=['a']},to='master'}                      | routes[0].match.tables: must name tables with their schemas
            {match={tables=['s.a','S.a']},to='part'}                | routes[0].match.tables: names S.a twice
            {match={tables=[]},to='part'}                           | routes[0].match.tables: must name at least one
            {match={shape='xyz'},to='part'}                         | routes[0].match.shape: must be a fingerprint
            {match={database='postgres'},to='part'}                 | routes[0].match.database: part carries tables of the database "shop", not of "postgres"
            {match={role='a'},to='part'},{match={role='a'},to='part'} | routes[1].match: is never reached
            {match={role='a'},to='master'},{match={role='a',application_name='b'},to='part'} | is decided by routes[0], which comes first (role a)
            {match={tables=['s.a','s.b']},to='master'},{match={tables=['s.a'],role='a'},to='part'} | routes[1].match: is never reached
            {match={database='shop'},to='master'},{match={role='a'},to='part'} | routes[1].match: is never reached
            """)
    void refusesARouteThatCannotBe(String routes, String problem) {
        String toml = PART + "satellites.count = 1\nroutes = [" + routes + "]";
        List<String> problems =
                assertThrows(ConfigurationException.class, () -> parse(toml)).problems();
        assertTrue(problems.size() == 1 && problems.get(0).contains(problem), problems::toString);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{match={role='a',application_name='b'},to='part'},{match={role='a'},to='master'}",
                "{match={tables=['s.a'],role='a'},to='master'},{match={tables=['s.a']},to='part'}",
                "{match={tables=['s.a']},to='part'},{match={tables=['s.a','s.b']},to='master'}",
                "{match={role='a'},to='part'},{match={role='a'},to='master'}",
                "{match={tables=['s.a']},to='part'},{match={role='a'},to='part'}",
                "{match={tables=['\"S\".b', 's.a']},to='part'}"
            })
    void acceptsRoutesOfWhichEachCanBeReached(String routes) throws ConfigurationException {
        assertFalse(parse(PART + "routes = [" + routes + "]").routes().isEmpty());
    }

    @Test
    void refusesRoutesOfTheWrongNumberOrKind() {
        assertEquals(
                List.of("multimed.toml, line 1: routes: is a list of tables, write [[routes]]"),
                assertThrows(ConfigurationException.class, () -> parse("[routes]\nto = \"master\""))
                        .problems());
        String many = "[[routes]]\nmatch.role = \"r\"\nto = \"master\"\n".repeat(65);
        assertEquals(
                List.of("multimed.toml, line 1: routes: there can be at most 64 rules, not 65"),
                assertThrows(ConfigurationException.class, () -> parse(many)).problems());
        assertEquals(
                List.of("multimed.toml, line 4: routes[0].to: there is no node \"satellites\"; allowed are master"),
                assertThrows(
                                ConfigurationException.class,
                                () -> parse(
                                        "satellites.count = 0\n[[routes]]\nmatch.role = \"r\"\nto = \"satellites\""))
                        .problems());
    }

    @Test
    void partialSatellitesNeedALogThatCanBeDecodedOrTriggers() throws ConfigurationException {
        String toml = "satellites.a.tables = [\"s.t\"]\nnodes.master.settings.wal_level = \"replica\"";
        ConfigurationException wrong = assertThrows(ConfigurationException.class, () -> parse(toml));
        assertEquals(
                List.of(
                        "multimed.toml, line 2: nodes.master.settings.wal_level: must be logical, or left out, since satellites.a is fed by"
                                + " logical decoding; or have triggers capture the changes, with satellites.capture = \"triggers\""),
                wrong.problems());
        assertEquals(
                CaptureKind.TRIGGERS,
                parse("satellites.capture = \"triggers\"\n" + toml).satellites().capture());
    }

    @Test
    void saysEverythingThatIsWrongAtOnce() {
        ConfigurationException wrong = assertThrows(
                ConfigurationException.class, () -> parse("satellites.count = -1\nreads.patience = \"x\"\nfoo = 1"));
        assertEquals(3, wrong.problems().size(), wrong.getMessage());
    }

    @Test
    void namesTheLineOfTheKeyOrOfTheTableThatLacksIt() {
        String toml = """
                # a comment = 1
                reads.patience = "x"

                [endpoint.tls]
                required = "always"

                [satellites.a]
                database = \"""
                   [satellites.b]
                   indexes = 1\"""
                tables = [
                    "s.t",
                    "u"]
                settings = { work_mem = [], fsync = true }
                [[routes]]
                to = "a"
                match = { role = "r" }
                [[routes]]
                match = { roles = "r" }
                """;
        List<String> problems =
                assertThrows(ConfigurationException.class, () -> parse(toml)).problems();
        assertEquals(
                List.of(
                        "line 2: reads.patience",
                        "line 4: endpoint.tls.certificate",
                        "line 4: endpoint.tls.key",
                        "line 11: satellites.a.tables",
                        "line 14: satellites.a.settings.fsync",
                        "line 14: satellites.a.settings.work_mem",
                        "line 18: routes[1].to",
                        "line 19: routes[1].match.roles"),
                problems.stream()
                        .map(problem -> problem.replaceFirst("multimed.toml, (line \\d+: [^:]*).*", "$1"))
                        .sorted(Comparator.comparingInt(ConfigurationReaderTest::line)
                                .thenComparing(Function.identity()))
                        .toList(),
                problems::toString);
    }

    private static int line(String problem) {
        return Integer.parseInt(problem.replaceFirst("line (\\d+).*", "$1"));
    }

    @Test
    void theCommandLineWinsAndItsMistakesAreCalledByItsOwnNames() throws ConfigurationException {
        Overrides overrides = new Overrides(
                Optional.of("127.0.0.1:5433"),
                OptionalInt.of(0),
                Optional.of(Storage.DISK),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
        Configuration read = ConfigurationReader.parse("satellites.count = 2", directory, overrides);
        assertEquals(5433, read.endpoint().listen().port());
        assertEquals(OptionalInt.of(0), read.satellites().count());
        assertEquals(Storage.DISK, read.satellites().storage());

        assertEquals(
                List.of(
                        "multimed.toml, line 1: metrics.listen: 127.0.0.1:5433 is where --listen (127.0.0.1:5433) wants to be: choose another"
                                + " port, or \"off\""),
                assertThrows(
                                ConfigurationException.class,
                                () -> ConfigurationReader.parse(
                                        "metrics.listen = \"127.0.0.1:5433\"", directory, overrides))
                        .problems());

        Overrides wrong = new Overrides(
                Optional.of("0.0.0.0:1"),
                OptionalInt.of(99),
                Optional.empty(),
                Optional.of(Path.of("/nowhere")),
                OptionalInt.empty(),
                OptionalInt.empty());
        List<String> problems = assertThrows(ConfigurationException.class, () -> ConfigurationReader.defaults(wrong))
                .problems();
        assertTrue(problems.get(0).startsWith("--listen: 0.0.0.0:1 can be reached"), problems.toString());
        assertTrue(problems.get(1).startsWith("--satellites: must be"), problems.toString());
        assertTrue(problems.get(2).startsWith("--engine-bin: there is no program postgres"), problems.toString());
    }

    @Test
    void explainsAFileThatIsNotThere() {
        String message = assertThrows(
                        ConfigurationException.class,
                        () -> ConfigurationReader.read(directory.resolve("none.toml"), Overrides.NONE))
                .getMessage();
        assertTrue(message.endsWith("none.toml: there is no such file"), message);
    }

    private Configuration parse(String toml) throws ConfigurationException {
        return ConfigurationReader.parse(toml, directory, Overrides.NONE);
    }
}
