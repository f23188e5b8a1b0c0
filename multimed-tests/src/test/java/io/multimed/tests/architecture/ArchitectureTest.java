package io.multimed.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of the architecture: the two ways, and dependencies that point towards the model. */
class ArchitectureTest {
    private static final String MODEL = "io.multimed.model..";
    private static final String SQL = "io.multimed.sql..";
    private static final String PROTOCOL = "io.multimed.protocol..";
    private static final String ENGINES = "io.multimed.engine..";
    private static final String POSTGRESQL = "io.multimed.engine.postgresql..";
    private static final String MARIADB = "io.multimed.engine.mariadb..";
    private static final String EMBEDDED = "io.multimed.engine.embedded..";
    private static final String H2 = "io.multimed.engine.embedded.h2..";
    private static final String HSQLDB = "io.multimed.engine.embedded.hsqldb..";
    private static final String CORE = "io.multimed.core..";
    private static final String SPI = "io.multimed.core.spi..";
    private static final String ENDPOINT = "io.multimed.endpoint..";
    private static final String SERVER = "io.multimed.server..";
    private static final String BENCH = "io.multimed.bench..";
    private static final String DIST = "io.multimed.dist..";
    private static final String JDBC = "io.multimed.jdbc..";
    private static final String CLI = "io.multimed.cli..";
    private static final String MARIADB_CLI = "io.multimed.mariadb.cli..";
    private static final String COMMAND = "io.multimed.cli.command..";
    private static final String[] JDK = {"java..", "javax..", "jdk.."};

    private static final JavaClasses ALL_MODULES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.multimed");

    private static final JavaClasses PRODUCT = ALL_MODULES.that(resideOutsideOfPackage("io.multimed.testkit.."));

    /** One slice for each package. A module's root package is one of them, and so is each package below another. */
    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    private static void check(ArchRule rule) {
        rule.check(PRODUCT);
    }

    private static ArchRule only(String who, String... may) {
        String[] all = new String[may.length + JDK.length + 2];
        System.arraycopy(may, 0, all, 0, may.length);
        System.arraycopy(JDK, 0, all, may.length, JDK.length);
        all[all.length - 2] = "org.jspecify..";
        all[all.length - 1] = who;
        return classes()
                .that()
                .resideInAPackage(who)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(all);
    }

    @Test
    void modelKnowsTheJdkAlone() {
        check(only(MODEL));
    }

    @Test
    void theSpiKnowsTheModelAlone() {
        check(only(SPI, MODEL));
    }

    @Test
    void coreKnowsNoEngineNoSocketNoParser() {
        check(only(CORE, MODEL));
        check(noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.netty..",
                        "java.sql..",
                        "javax.sql..",
                        "java.net..",
                        "java.nio.channels..",
                        "org.postgresql..",
                        "net.sf.jsqlparser..",
                        "org.h2..",
                        "org.hsqldb..",
                        ENGINES,
                        SQL,
                        PROTOCOL));
    }

    @Test
    void classificationKnowsTheParserAndNothingOfTheRest() {
        check(only(SQL, MODEL, "net.sf.jsqlparser..", "org.slf4j.."));
    }

    @Test
    void aCodecKnowsBuffersAndNeverASession() {
        check(only(PROTOCOL, "io.netty.buffer..", "io.netty.util.."));
    }

    @Test
    void theDispatcherKnowsNoSocket() {
        check(noClasses()
                .that()
                .resideInAPackage("io.multimed.core.dispatch..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "io.netty.."));
    }

    @Test
    void anEngineKnowsNoEndpoint() {
        check(noClasses()
                .that()
                .resideInAPackage(ENGINES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ENDPOINT, SERVER, CLI));
        // Of the classification's classes, only one package reads the catalogs.
        check(noClasses()
                .that()
                .resideInAPackage(POSTGRESQL)
                .and()
                .resideOutsideOfPackage("io.multimed.engine.postgresql.catalog..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SQL));
    }

    @Test
    void kindsOfEnginesDoNotKnowEachOther() {
        check(noClasses()
                .that()
                .resideInAPackage(POSTGRESQL)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(MARIADB));
        check(noClasses()
                .that()
                .resideInAPackage(MARIADB)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(POSTGRESQL));
        check(only("io.multimed.engine.files..", CORE));
        check(only("io.multimed.engine.process..", CORE, "io.multimed.engine.files..", "org.slf4j.."));
    }

    @Test
    void embeddedEnginesStandOnTheCoreAlone() {
        check(only(EMBEDDED, MODEL, CORE, "org.h2..", "org.hsqldb.."));
    }

    @Test
    void onlyItsFamilyKnowsAnEmbeddedEngine() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(H2)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.h2.."));
        check(noClasses()
                .that()
                .resideOutsideOfPackage(HSQLDB)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.hsqldb.."));
        // Only this class decides which family of engines a URL belongs to.
        check(noClasses()
                .that()
                .resideOutsideOfPackages(H2, HSQLDB)
                .and()
                .doNotHaveFullyQualifiedName("io.multimed.engine.embedded.registry.EmbeddedDatabases")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(H2, HSQLDB));
    }

    @Test
    void theDriverStandsOnTheEmbeddedRuntimeAlone() {
        // pgjdbc reports the transaction status only through this class.
        check(only(
                JDBC,
                MODEL,
                CORE,
                "org.springframework..",
                "io.multimed.engine.embedded",
                "io.multimed.engine.embedded.registry..",
                "io.multimed.engine.embedded.spi..",
                "org.postgresql.core.."));
    }

    /** An application without Spring has none of its classes. */
    @Test
    void theDriverKnowsSpringInOnePlaceAlone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.multimed.jdbc.spring")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.."));
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.multimed.jdbc.spring")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.multimed.jdbc.spring"));
    }

    /** Applications and other engines implement it. */
    @Test
    void theDescriptionOfAnEngineKnowsTheJdkAlone() {
        check(only("io.multimed.jdbc.engine.."));
    }

    @Test
    void theEndpointKnowsNoEngine() {
        check(noClasses()
                .that()
                .resideInAPackage(ENDPOINT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ENGINES, SERVER, CLI, "org.postgresql..", "java.sql.."));
    }

    @Test
    void partsOfASessionKnowOnlyThoseBelowThem() {
        // This is the order in the package-info of the session.
        knowOnlyThoseBelow(
                "io.multimed.endpoint.pg.session",
                "reads",
                "loop",
                "settings",
                "exchange",
                "block",
                "prepared",
                "routing",
                "requests",
                "watch");
    }

    @Test
    void packagesOfTheDriverKnowOnlyThoseBelowThem() {
        knowOnlyThoseBelow(
                "io.multimed.jdbc",
                "engine",
                "sql",
                "errors",
                "backend",
                "session",
                "replay",
                "url",
                "remote",
                "embedded",
                "statement",
                "connection",
                "pool");
    }

    /**
     * Checks that packages of {@code root} know neither that nor those above them.
     *
     * @param order their names, the lowest first
     */
    private static void knowOnlyThoseBelow(String root, String... order) {
        for (int part = 0; part < order.length; part++) {
            String[] above = new String[order.length - part];
            above[0] = root;
            for (int i = 1; i < above.length; i++) {
                above[i] = root + "." + order[part + i] + "..";
            }
            check(noClasses()
                    .that()
                    .resideInAPackage(root + "." + order[part] + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above));
        }
    }

    /** All other classes call interfaces, so that nothing of it lies in the way of engines whose rows are captured. */
    @Test
    void oneClassOfTheDriverKnowsPropagationByStatements() {
        check(noClasses()
                .that()
                .resideInAPackage(JDBC)
                .and()
                .resideOutsideOfPackage("io.multimed.jdbc.replay..")
                .and()
                .doNotHaveFullyQualifiedName("io.multimed.jdbc.url.EngineLookup")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.multimed.jdbc.replay.."));
    }

    @Test
    void nobodyKnowsTheServerButTheCommandLineBenchmarksAndDistributions() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(SERVER, BENCH, CLI, DIST, MARIADB_CLI)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SERVER, CLI));
        check(noClasses()
                .that()
                .resideInAPackage(SERVER)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CLI));
    }

    /** It goes into no distribution. */
    @Test
    void nobodyKnowsWhatMakesDistributions() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(DIST)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(DIST));
    }

    @Test
    void benchmarksKnowWhatTheyCompareByItsProcessesAlone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(BENCH)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BENCH));
        // Of the product's command line they have the form alone.
        check(noClasses()
                .that()
                .resideInAPackage(BENCH)
                .should()
                .dependOnClassesThat(resideInAPackage(CLI).and(resideOutsideOfPackage(COMMAND))));
        check(noClasses()
                .that()
                .resideInAPackage(BENCH)
                .should()
                .dependOnClassesThat(
                        // The servers that it starts report failures by the SPI's exception.
                        resideInAnyPackage(CORE, ENDPOINT, SQL, PROTOCOL, "io.multimed.engine.postgresql.relay..")
                                .and(resideOutsideOfPackage(SPI))));
        // Measurements and reports do not depend on the system that ran.
        check(noClasses()
                .that()
                .resideInAnyPackage("io.multimed.bench.measure..", "io.multimed.bench.report..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.multimed.bench.tpcw..",
                        "io.multimed.bench.tpcc..",
                        "io.multimed.bench.system..",
                        SERVER,
                        POSTGRESQL));
        // The code that runs benchmarks knows none of them.
        check(noClasses()
                .that()
                .resideInAnyPackage(
                        "io.multimed.bench.system..",
                        "io.multimed.bench.series..",
                        "io.multimed.bench.client..",
                        "io.multimed.bench.load..",
                        "io.multimed.bench.dialect..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.multimed.bench.tpcw..", "io.multimed.bench.tpcc.."));
    }

    @Test
    void noPackageLiesInACycle() {
        slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(ALL_MODULES);
    }

    /** Here a slice is a package with all below it. */
    @Test
    void packagesOfOneModuleHaveNoCycles() {
        for (String module : new String[] {
            "model",
            "sql",
            "protocol.pg",
            "protocol.mysql",
            "core",
            "engine",
            "engine.postgresql",
            "engine.mariadb",
            "engine.embedded",
            "jdbc",
            "endpoint.pg",
            "endpoint.pg.session",
            "endpoint.mysql",
            "server",
            "bench",
            "bench.tpcw",
            "bench.tpcc"
        }) {
            check(slices().matching("io.multimed." + module + ".(*)..")
                    .should()
                    .beFreeOfCycles()
                    .allowEmptyShould(true));
        }
    }

    /** A reader need not know the package to know the class. */
    @Test
    void aSimpleNameStandsForOneClass() {
        Map<String, List<String>> byName = ALL_MODULES.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().endsWith("-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        assertTrue(byName.size() > 500, () -> byName.size() + " classes");
        byName.values().removeIf(types -> types.size() == 1);
        assertEquals(Map.of(), byName);
    }

    @Test
    void everyPackageSaysThatNothingIsNullUnlessMarked() {
        check(classes().should(new ArchCondition<>("lie in a package whose package-info is @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                events.add(new SimpleConditionEvent(type, marked, type.getPackageName() + " of " + type.getName()));
            }
        }));
    }

    @Test
    void nothingPrintsButTheCommandLine() {
        // The exception is the JVM that a benchmark starts, which reports to its parent.
        check(noClasses()
                .that()
                .resideOutsideOfPackages(CLI, DIST, MARIADB_CLI, "io.multimed.bench.cli..")
                .and()
                .doNotHaveFullyQualifiedName("io.multimed.bench.series.EmbeddedMain")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err"));
    }

    @Test
    void waitsUseMonotonicTime() {
        check(noClasses()
                .that()
                .resideInAnyPackage(
                        CORE,
                        ENDPOINT,
                        MARIADB,
                        "io.multimed.engine.postgresql.relay..",
                        "io.multimed.engine.postgresql.wire..",
                        "io.multimed.engine.postgresql.writeset..")
                .and()
                // The replication protocol carries the time of day; no wait depends on it.
                .doNotHaveFullyQualifiedName("io.multimed.engine.postgresql.wire.Messages")
                .should()
                .callMethod(System.class, "currentTimeMillis"));
    }
}
