package io.multimed.jdbc.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests JDBC as applications use it, with H2 as an unknown engine: the results are the same as with H2 alone. */
class RepeatedConformanceTest {
    /**
     * Scenarios that differ: unsupported with repeated statements, dependent on a transaction's state after an error, or with
     * errors in H2's own form.
     */
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
        // Multimed reports closed objects in its own form here.
        assertEquals(alone.toString().replace("failed 90007 90007", "failed 08003 0"), through.toString());
    }
}
