package io.multimed.tests.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.testkit.conversation.Conversation;
import io.multimed.testkit.conversation.Script;
import io.multimed.testkit.conversation.Transcript;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.TestBinaries;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The same conversations with PostgreSQL and with Multimed have the same answers, message by message.
 *
 * <p>{@code -Dmultimed.record=DIRECTORY} writes the scripts with PostgreSQL's answers to that directory;
 * {@code -Dmultimed.conversation=NAME} runs one script only.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ConversationsTest {
    private static final String ONLY = System.getProperty("multimed.conversation", "");
    private static final String RECORD = System.getProperty("multimed.record", "");

    /** The scripts contain the answers of PostgreSQL 18; some answers of other versions differ. */
    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> postgresqlAnswersAsRecorded() throws Exception {
        assumeTrue(TestBinaries.get().major() == 18, "recorded from PostgreSQL 18");
        PlainPostgres server = PlainServer.get();
        return scripts()
                .map(script -> DynamicTest.dynamicTest(script.name(), () -> {
                    Transcript transcript = Conversation.run(script, server.unix(), server.unix(), database(script));
                    if (!RECORD.isEmpty()) {
                        Files.writeString(
                                Path.of(RECORD, script.name() + ".txt"), script.recorded(transcript.answers()));
                    } else {
                        assertEquals("", transcript.differencesFrom(script));
                    }
                }));
    }

    /** Answers include places in the source: Multimed passes messages on unchanged. */
    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> multimedAnswersAsPostgresql() throws Exception {
        PlainPostgres server = PlainServer.get();
        RunningMultimed multimed = RunningMultimed.shared();
        return scripts()
                .map(script -> DynamicTest.dynamicTest(script.name(), () -> {
                    String database = "direct_" + script.name();
                    Transcript direct = Conversation.run(script, server.unix(), server.unix(), database);
                    Transcript through =
                            Conversation.run(script, multimed.address(), multimed.master(), database(script));
                    assertEquals("", through.differencesFrom(script, direct));
                }));
    }

    private static String database(Script script) {
        return "conversation_" + script.name();
    }

    private static Stream<Script> scripts() throws IOException, URISyntaxException {
        Path directory = Path.of(Objects.requireNonNull(ConversationsTest.class.getResource("/conversations"))
                .toURI());
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
            return all.stream()
                    .map(ConversationsTest::parse)
                    .filter(script -> ONLY.isEmpty() || script.name().equals(ONLY));
        }
    }

    private static Script parse(Path file) {
        try {
            return Script.parse(file.getFileName().toString().replace(".txt", ""), Files.readString(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
