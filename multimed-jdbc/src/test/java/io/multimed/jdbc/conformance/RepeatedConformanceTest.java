package io.multimed.jdbc.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JDBC as applications use it, with H2 as an engine of which Multimed knows nothing: the same answers as of H2 alone. */
class RepeatedConformanceTest {
    /** What statements that are executed again cannot be, what an error leaves of a transaction, and what H2 alone says so. */
    private static final Set<String> NOT_SO = Set.of(
            "wrong method for a statement",
            "generated keys",
            "statements that take longer than they may",
            "closed objects",
            "escapes",
            "calls",
            "procedures with parameters that are given back",
            "streams as parameters",
            "LOBs",
            "arrays",
            "batches",
            "batches that fail",
            "updatable result sets",
            "auto-commit and transactions",
            "savepoints",
            "isolation and holdability",
            "schema and catalog",
            "savepoints in words and by calls",
            "transactions in words",
            "what is set in a transaction",
            "keys that are asked for by name",
            "large batches",
            "changes through result sets in a transaction",
            "objects that connections make",
            "cancelling and closing",
            "cancelling from another thread",
            "all that is told of columns");

    static Stream<String> scenarios() {
        return Scenarios.all().keySet().stream().filter(scenario -> !NOT_SO.contains(scenario));
    }

    @Test
    void whatIsLeftOutIsThere() {
        assertTrue(Scenarios.all().keySet().containsAll(NOT_SO));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void answersAsTheEngineAlone(String scenario) throws Exception {
        String name = UUID.randomUUID().toString().replace("-", "");
        Log alone = ConformanceTest.run("jdbc:h2:mem:" + name, scenario);
        Log through =
                ConformanceTest.run("jdbc:multimed:scripted:" + name + "a;replicas=3;propagation=statements", scenario);
        // Of what is closed Multimed says itself what H2 would say in its own way.
        assertEquals(alone.toString().replace("failed 90007 90007", "failed 08003 0"), through.toString());
    }
}
