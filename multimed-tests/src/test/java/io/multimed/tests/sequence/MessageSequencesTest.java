package io.multimed.tests.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.testkit.sequence.Difference;
import io.multimed.testkit.sequence.MessageSequence;
import io.multimed.testkit.sequence.SequenceComparison;
import io.multimed.testkit.sequence.SequenceGenerator;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.TestBinaries;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of messages have the same answers from PostgreSQL and from Multimed.
 *
 * <p>{@code -Dmultimed.sequences=N} plays N of them, {@code -Dmultimed.sequence.seed=SEED} begins with this one. A failure
 * names its seed and shows the shortest sequence found that still differs; it belongs into {@code resources/sequences}.
 */
@Tag("slow")
class MessageSequencesTest {
    private static final int COUNT = Integer.getInteger("multimed.sequences", 120);
    private static final long FIRST_SEED = Long.getLong("multimed.sequence.seed", 1);
    /** Number of repetitions; in later ones the engines hold prepared statements. */
    private static final int REPETITIONS = 3;

    private static final int MOST_FAILURES = Integer.getInteger("multimed.sequence.failures", 1);
    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("multimed.sequence.patience", 20));

    private static SequenceComparison comparison;

    @BeforeAll
    static void connect() throws Exception {
        assumeTrue(TestBinaries.get().major() == 18, "Multimed answers as PostgreSQL 18");
        comparison = new SequenceComparison(
                PlainServer.get().tcp(),
                RunningMultimed.shared().address(),
                RunningMultimed.shared().master(),
                PATIENCE);
        RunningMultimed.shared().awaitSatellites(comparison.database());
    }

    @AfterAll
    static void disconnect() throws IOException {
        if (comparison != null) {
            comparison.close();
        }
    }

    @Test
    void randomSequencesAreAnsweredAsByPostgresql() throws IOException {
        long before = readsOnSatellites();
        List<String> failures = new ArrayList<>();
        int admitted = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + COUNT && failures.size() < MOST_FAILURES; seed++) {
            MessageSequence sequence = SequenceGenerator.of(seed);
            Optional<Difference> difference = comparison.compare(sequence);
            if (difference.isEmpty()) {
                continue;
            }
            if (AdmittedDifferences.admit(sequence, difference.get())) {
                admitted++;
                continue;
            }
            MessageSequence shortest =
                    comparison.shrink(sequence, (candidate, found) -> !AdmittedDifferences.admit(candidate, found));
            failures.add("\nseed " + seed + "\n" + difference.get() + "\nshortest:\n" + describe(shortest));
        }
        assertEquals(List.of(), failures);
        long reads = readsOnSatellites() - before;
        System.out.println("message sequences: " + COUNT + ", " + reads + " reads on Satellites");
        assertTrue(reads * 2 >= COUNT, reads + " reads on Satellites in " + COUNT + " sequences");
        assertTrue(admitted * 10 <= COUNT, admitted + " sequences part where docs/limits.md says");
    }

    private static String describe(MessageSequence shortest) throws IOException {
        return shortest + "\n"
                + comparison.compare(shortest).map(Object::toString).orElse("(no difference any more)");
    }

    /** Each of these sequences was once the shortest that differed. */
    @Test
    void sequencesThatOnceDifferedAreAnsweredAsByPostgresql() throws IOException, URISyntaxException {
        List<String> failures = new ArrayList<>();
        for (Path file : recorded()) {
            MessageSequence sequence = MessageSequence.parse(Files.readString(file));
            for (int i = 0; i < REPETITIONS; i++) {
                comparison
                        .compare(sequence)
                        .filter(difference -> !AdmittedDifferences.admit(sequence, difference))
                        .ifPresent(difference -> failures.add("\n" + file.getFileName() + "\n" + difference));
            }
        }
        assertEquals(List.of(), failures);
    }

    private static List<Path> recorded() throws IOException, URISyntaxException {
        Path directory = Path.of(Objects.requireNonNull(MessageSequencesTest.class.getResource("/sequences"))
                .toURI());
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Returns the number of transactions placed on a Satellite, and of reads that got the answer of another read's execution.
     */
    private static long readsOnSatellites() throws IOException {
        try (WireSession admin =
                WireSession.open(RunningMultimed.shared().address(), "postgres", "multimed", Duration.ofSeconds(60))) {
            for (List<@Nullable String> row : admin.rows("SHOW ROUTES")) {
                if ("fresh_satellite".equals(row.getFirst())) {
                    return Long.parseLong(Objects.requireNonNull(row.get(2)));
                }
            }
            throw new IOException("SHOW ROUTES does not tell of reads on Satellites");
        }
    }
}
