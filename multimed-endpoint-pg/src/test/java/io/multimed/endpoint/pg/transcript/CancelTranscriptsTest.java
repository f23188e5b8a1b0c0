package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** Cancel requests and timeouts. */
class CancelTranscriptsTest {
    @Test
    void requestIsPassedOnToTheEngineOfARead() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                client cancels
                satellite-2 <- CancelRequest satellite
                satellite-2 closes
                satellite -> ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void requestIsPassedOnToTheEngineOfAWrite() {
        play("""
                client logs in
                client -> Query UPDATE t SET x = 1
                master <- same
                client cancels
                master-2 <- CancelRequest master
                master-2 closes
                master -> ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void waitingReadIsRefused() {
        play("""
                client logs in
                commit 200
                client -> Query SELECT 1
                client cancels
                client <- ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery I
                """);
    }

    @Test
    void requestWhileNothingRunsDoesNothing() {
        play("""
                client logs in
                client cancels
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void requestInABlockThatNoEngineKnowsDoesNothing() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client cancels
                client -> Query COMMIT
                client <- CommandComplete COMMIT | ReadyForQuery I
                """);
    }

    @Test
    void requestIsRepeatedWhileTheEngineSaysNothing() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                client cancels
                satellite-2 <- CancelRequest satellite
                time 4s
                satellite-2 closes
                time 4s
                satellite-3 <- CancelRequest satellite
                satellite-3 closes
                satellite -> ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readBehindOneThatIsCancelledRunsAgain() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                time 15ms
                satellite <- same
                client cancels
                satellite-2 <- CancelRequest satellite
                satellite-2 closes
                satellite -> ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery I
                client <- same
                satellite -> Result a '2' | ReadyForQuery I
                satellite <- Query SELECT 2
                """);
    }

    @Test
    void timeoutOfTheEngineIsTheClients() {
        play("""
                client logs in
                client -> Query SET statement_timeout = '2s'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left statement_timeout=2000
                client -> Query SELECT 1
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('statement_timeout','2000',false);
                    | Query SELECT 1
                satellite -> CommandComplete SET | Result set_config '2000' | ReadyForQuery I
                    | ErrorResponse ERROR 57014 'canceling statement due to statement timeout' | ReadyForQuery I
                client <- ErrorResponse ERROR 57014 'canceling statement due to statement timeout' | ReadyForQuery I
                """);
    }

    @Test
    void timeoutHoldsForAWaitingRead() {
        play("""
                client logs in
                client -> Query SET statement_timeout = '20ms'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left statement_timeout=20
                commit 200
                client -> Query SELECT 1
                time 30ms
                client <- ErrorResponse ERROR 57014 'canceling statement due to statement timeout' | ReadyForQuery I
                """);
    }

    @Test
    void timeoutWithinABlockIsTheEngines() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SET LOCAL statement_timeout = '50ms'
                master <- Query BEGIN | Query SET LOCAL statement_timeout = '50ms'
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete SET | ReadyForQuery T
                client <- CommandComplete SET | ReadyForQuery T
                client -> Query SELECT 1
                master <- same
                time 100ms
                master -> ErrorResponse ERROR 57014 'canceling statement due to statement timeout' | ReadyForQuery E
                client <- same
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void timeoutHoldsForABlockThatNoEngineKnows() {
        play("""
                client logs in
                client -> Query SET idle_in_transaction_session_timeout = '2s'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left idle_in_transaction_session_timeout=2s
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                time 3s
                client <- ErrorResponse FATAL 25P03 'terminating connection due to idle-in-transaction timeout'
                client <- closed
                """);
    }

    @Test
    void requestIsPassedOnWithinABlock() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query LOCK TABLE t
                master <- Query BEGIN | Query LOCK TABLE t
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete LOCK TABLE | ReadyForQuery T
                client <- CommandComplete LOCK TABLE | ReadyForQuery T
                client -> Query SELECT 1
                master <- same
                client cancels
                master-2 <- CancelRequest master
                master-2 closes
                master -> ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery E
                client <- same
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }
}
