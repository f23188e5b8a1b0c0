package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** Several sessions on few connections. */
class SharingTranscriptsTest {
    @Test
    void writeWaitsForAConnection() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                other -> Query INSERT INTO t VALUES (2)
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                master <- Query INSERT INTO t VALUES (2)
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void idleBlockEndsWhereOthersWaitForItsConnection() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                other -> Query INSERT INTO t VALUES (2)
                time 59s
                time 3s
                client <- ErrorResponse FATAL 25P03 'terminating connection due to idle-in-transaction tim...
                client <- closed
                master <- Terminate
                master <- closed
                master-2 opens
                master-2 <- same
                master-2 -> CommandComplete INSERT 0 1 | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void readsAreSentBehindEachOther() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                third logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                third -> Query SELECT 3
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                satellite <- Query SELECT 2 | Query SELECT 3
                satellite -> Result a '2' | ReadyForQuery I
                other <- same
                satellite -> Result a '3' | ReadyForQuery I
                third <- same
                """);
    }

    @Test
    void segmentsAreSentBehindEachOther() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Parse - SELECT 1 | Bind - - | Execute - 0 | Sync
                satellite opens
                satellite <- same
                other -> Parse - SELECT 2 | Bind - - | Execute - 0 | Sync
                time 15ms
                satellite <- same
                satellite -> ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                satellite -> ParseComplete | BindComplete | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void readIsSentBehindAnotherAfterAMoment() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                time 15ms
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                satellite -> Result a '2' | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void waitingReadsThatAreTheSameAreExecutedOnce() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                third logs in
                client -> Query SELECT x FROM long
                satellite opens
                satellite <- same
                other -> Query SELECT 5
                third -> Query SELECT 5
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                satellite <- Query SELECT 5
                satellite -> Result a '5' | ReadyForQuery I
                other <- same
                third <- same
                """);
    }

    @Test
    void readBehindThatOfAClientThatGoesIsAnswered() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                time 15ms
                satellite <- same
                client closes
                satellite -> Result a '1' | ReadyForQuery I | Result a '2' | ReadyForQuery I
                other <- RowDescription a | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void readBehindOneThatMayHaveRunOtherCodeRunsElsewhere() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                time 15ms
                satellite <- same
                schema 1
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                satellite -> Result a '2' | ReadyForQuery I
                satellite <- Terminate
                satellite <- closed
                satellite-2 opens
                satellite-2 <- Query SELECT 2
                satellite-2 -> Result a '2' | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void readBehindOneOfAClientThatGoesThatMayHaveRunOtherCodeRunsElsewhere() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                time 15ms
                satellite <- same
                client closes
                schema 1
                satellite -> Result a '1' | ReadyForQuery I
                satellite -> Result a '2' | ReadyForQuery I
                satellite <- Terminate
                satellite <- closed
                satellite-2 opens
                satellite-2 <- Query SELECT 2
                satellite-2 -> Result a '2' | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void connectionOfAClientThatGoesIsReplaced() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                client closes
                satellite <- Terminate
                satellite <- closed
                satellite-2 opens
                satellite-2 <- same
                satellite-2 -> Result a '2' | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void waitingSegmentsThatAreTheSameAreExecutedOnce() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                third logs in
                client -> Query SELECT x FROM t
                satellite opens
                satellite <- same
                other -> Parse - SELECT $1 | Bind - - '5' | Describe P - | Execute - 0 | Sync
                third -> Parse - SELECT $1 | Bind - - '5' | Describe P - | Execute - 0 | Sync
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                satellite <- Parse - SELECT $1 | Bind - - '5' | Describe P - | Execute - 0 | Sync
                satellite -> ParseComplete | BindComplete | RowDescription a | DataRow '5' | CommandComplete SELECT 1
                    | ReadyForQuery I
                other <- same
                third <- same
                """);
    }

    @Test
    void failedReadIsExecutedForEachWaitingClient() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                third logs in
                client -> Query SELECT x FROM t
                satellite opens
                satellite <- same
                other -> Query SELECT 5
                third -> Query SELECT 5
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                satellite <- Query SELECT 5
                satellite -> ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                other <- same
                satellite <- Query SELECT 5
                satellite -> Result a '5' | ReadyForQuery I
                third <- same
                """);
    }

    @Test
    void waitingReadNobodyWantsAnyMoreIsNotExecuted() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                third logs in
                client -> Query SELECT x FROM t
                satellite opens
                satellite <- same
                other -> Query SELECT 5
                third -> Query SELECT 5
                third cancels
                third <- ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery I
                other closes
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void longAnswerIsNotShared() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                third logs in
                client -> Query SELECT x FROM t
                satellite opens
                satellite <- same
                other -> Query SELECT 5
                third -> Query SELECT 5
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                satellite <- Query SELECT 5
                satellite -> RowDescription a | LongRow 300000 | CommandComplete SELECT 1 | ReadyForQuery I
                other <- same
                satellite <- Query SELECT 5
                satellite -> RowDescription a | LongRow 300000 | CommandComplete SELECT 1 | ReadyForQuery I
                third <- same
                """);
    }

    @Test
    void writeWaitsIfTheEngineHasNoConnectionLeft() {
        play("""
                client logs in
                other logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                other -> Query INSERT INTO t VALUES (2)
                master-2 <- Startup user=u database=d
                master-2 -> ErrorResponse FATAL 53300 'sorry, too many clients already'
                master-2 closes
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                master <- Query INSERT INTO t VALUES (2)
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                other <- same
                """);
    }
}
