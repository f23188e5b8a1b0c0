package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.config.EndpointOptions.Watching;
import io.multimed.endpoint.pg.session.reads.AnsweredTimes.Seen;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The times of statements as sessions that are watched measure them. */
class WatchTranscriptsTest {
    private static final Scene WATCHED =
            Scene.USUAL.with(options -> options.withWatching(new Watching(Duration.ZERO, false, true, null)));

    private static final Scene WATCHED_ON_ONE_CONNECTION =
            Scene.USUAL.with(options -> options.withWatching(new Watching(Duration.ZERO, false, true, null))
                    .withLimits(options.limits().withConnections(1, 1)));

    private static void playSeeing(String transcript, String... seen) {
        playSeeing(WATCHED, transcript, seen);
    }

    private static void playSeeing(Scene scene, String transcript, String... seen) {
        play(
                scene,
                transcript,
                endpoint -> assertEquals(
                        List.of(seen),
                        endpoint.answeredTimes().stream()
                                .map(WatchTranscriptsTest::told)
                                .sorted()
                                .toList()));
    }

    private static String told(Seen seen) {
        return seen.text() + " | " + seen.count() + " in " + millis(seen.nanos()) + ", waited "
                + millis(seen.waitNanos())
                + ", " + seen.failed() + " failed | "
                + seen.places().stream()
                        .map(place -> place.node() + " " + place.reason() + " " + place.count())
                        .toList();
    }

    private static String millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) + "ms";
    }

    @Test
    void readByQuery() {
        playSeeing("""
                client logs in
                client -> Query SELECT 1 /* comment */
                satellite opens
                satellite <- same
                time 20ms
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query SELECT 2 /* comment */
                satellite <- same
                time 10ms
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """, "SELECT ? | 2 in 30ms, waited 0ms, 0 failed | [satellite-1 FRESH_SATELLITE 2]");
    }

    @Test
    void writeThatFails() {
        playSeeing("""
                client logs in
                client -> Query INSERT INTO t VALUES (1)
                master <- same
                time 20ms
                master -> ErrorResponse ERROR 23505 'duplicate' | ReadyForQuery I
                client <- same
                """, "INSERT INTO t VALUES (?) | 1 in 20ms, waited 0ms, 1 failed | [master UPDATE 1]");
    }

    /** Its preparation counts too. */
    @Test
    void preparedRead() {
        playSeeing("""
                client logs in
                client -> Parse s SELECT $1 | Describe S s | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | ParameterDescription 25
                    | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ParameterDescription 25 | RowDescription a | ReadyForQuery I
                client -> Bind - s 'x' | Execute - 0 | Sync
                satellite <- Bind - multimed_1 'x' | Execute - 0 | Sync
                time 20ms
                satellite -> BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                """, "SELECT $1 | 2 in 20ms, waited 0ms, 0 failed | [satellite-1 FRESH_SATELLITE 2]");
    }

    @Test
    void waitForFreshness() {
        playSeeing("""
                client logs in
                commit 200
                client -> Query SELECT 1
                time 20ms
                satellite applied 200
                satellite opens
                satellite <- same
                time 10ms
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """, "SELECT ? | 1 in 30ms, waited 20ms, 0 failed | [satellite-1 FRESH_SATELLITE 1]");
    }

    /** Time lost on the Satellite counts, since the client has waited for it. */
    @Test
    void readThatASatelliteRefuses() {
        playSeeing("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                time 20ms
                satellite -> ErrorResponse ERROR 40001 'canceling statement due to conflict with recovery'
                    | ReadyForQuery I
                master <- Query SELECT 1
                time 20ms
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """, "SELECT ? | 1 in 40ms, waited 0ms, 0 failed | [master RETRIED 1]");
    }

    @Test
    void waitForAConnectionWithinOthersBlock() {
        playSeeing(
                WATCHED_ON_ONE_CONNECTION,
                """
                client logs in
                other logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                other -> Query INSERT INTO t VALUES (2)
                time 20ms
                client -> Query COMMIT
                master <- same
                time 10ms
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                master <- Query INSERT INTO t VALUES (2)
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                other <- same
                """,
                "COMMIT | 1 in 10ms, waited 0ms, 0 failed | [master UPDATE 1]",
                "INSERT INTO t VALUES (?) | 2 in 30ms, waited 30ms, 0 failed | [master UPDATE 2]");
    }

    /** The answer to Multimed's own question comes while the next statement waits for it. */
    @Test
    void questionOfMultimedsOwnEndsNoStatement() {
        playSeeing(
                """
                client logs in
                client -> Query SELECT f()
                master <- same
                time 5ms
                master -> Result f '1' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                client -> Query SELECT 1
                time 20ms
                master -> Left
                satellite opens
                satellite <- Query SELECT 1
                time 10ms
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """,
                "SELECT ? | 1 in 30ms, waited 20ms, 0 failed | [satellite-1 FRESH_SATELLITE 1]",
                "SELECT f() | 1 in 5ms, waited 0ms, 0 failed | [master UPDATE 1]");
    }
}
