package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** Engines that refuse, cancel or die, and the replies that are held back because of that. */
class LossTranscriptsTest {
    @Test
    void readThatASatelliteRefusesRunsOnTheMaster() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> ErrorResponse ERROR 25006 'cannot execute nextval() in a read-only transaction'
                    | ReadyForQuery I
                master <- Query SELECT 1
                master -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query SHOW multimed.route
                client <- RowDescription multimed.route
                    | DataRow 'master: re-run after a satellite could not answer (read)' | CommandComplete SHOW
                    | ReadyForQuery I
                """);
    }

    @Test
    void readCancelledByRecoveryRunsOnTheMaster() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> ErrorResponse ERROR 40001 'canceling statement due to conflict with recovery'
                    | ReadyForQuery I
                master <- Query SELECT 1
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readByMessagesThatIsCancelledByRecoveryRunsOnTheMaster() {
        play("""
                client logs in
                client -> Parse - SELECT $1 | Bind - - 'x' | Describe P - | Execute - 0 | Sync
                satellite opens
                satellite <- same
                satellite -> ParseComplete | BindComplete | RowDescription a
                    | ErrorResponse ERROR 40001 'canceling statement due to conflict with recovery' | ReadyForQuery I
                master <- Parse - SELECT $1 | Bind - - 'x' | Describe P - | Execute - 0 | Sync
                master -> ParseComplete | BindComplete | RowDescription a | DataRow 'x' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void noticeOfAReadThatRunsElsewhereIsDropped() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> NoticeResponse NOTICE 00000 'hear' | ErrorResponse ERROR 25006 'cannot execute'
                    | ReadyForQuery I
                master <- Query SELECT 1
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void noticeOfAReadPrecedesItsRows() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> NoticeResponse NOTICE 00000 'hear' | RowDescription a | DataRow '1'
                    | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void ordinaryErrorOfASatelliteIsTheClients() {
        play("""
                client logs in
                client -> Query SELECT 1/0
                satellite opens
                satellite <- same
                satellite -> ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readOnASatelliteThatDiesBeforeTheFirstRowRunsOnTheMaster() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> RowDescription a
                satellite closes
                master <- Query SELECT 1
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readOnASatelliteThatDiesBehindTheFirstRowFails() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> RowDescription a | DataRow '1'
                client <- same
                satellite closes
                client <- ErrorResponse ERROR 40001 'the Satellite that executed this transaction has failed' H='Try the transaction again.'
                    | ReadyForQuery I
                client -> Query SELECT 2
                master <- same
                master -> Result a '2' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readCancelledBehindItsFirstRowFails() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> RowDescription a | DataRow '1'
                    | ErrorResponse ERROR 40001 'canceling statement due to conflict with recovery' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readOnASatelliteThatShutsDownRunsOnTheMaster() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> ErrorResponse FATAL 57P01 'terminating connection due to administrator command'
                satellite closes
                master <- Query SELECT 1
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readOnASatelliteThatIsGivenUpRunsOnTheMaster() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite fails
                master <- same
                satellite <- closed
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readOnlyBlockBetweenReadsOutlivesItsSatellite() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT now()
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query SELECT now()
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result now '1' | ReadyForQuery T
                client <- RowDescription now | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                satellite closes
                client -> Query SELECT 2
                master <- Query BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SELECT | Query SELECT 2
                master -> CommandComplete BEGIN | ReadyForQuery T | Result a '2' | ReadyForQuery T
                client <- RowDescription a | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void separateReadOfABlockRunsOnTheMaster() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> RowDescription a
                satellite closes
                master <- Query BEGIN READ ONLY | Query SELECT 1
                master -> CommandComplete BEGIN | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void blockWhoseSnapshotIsLostCanBeRolledBack() {
        play("""
                client logs in
                client -> Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY | Query SELECT 1
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                satellite closes
                client -> Query ROLLBACK
                client <- CommandComplete ROLLBACK | ReadyForQuery I
                """);
    }

    @Test
    void blockWhoseSnapshotIsLostFails() {
        play("""
                client logs in
                client -> Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY | Query SELECT 1
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query SELECT 2
                satellite <- same
                satellite closes
                client <- ErrorResponse ERROR 40001 'the Satellite that executed this transaction has failed' H='Try the transaction again.'
                    | ReadyForQuery E
                client -> Query ROLLBACK
                client <- CommandComplete ROLLBACK | ReadyForQuery I
                """);
    }

    @Test
    void readsSharingAConnectionThatIsLostRunOnTheMaster() {
        play(Scene.ONE_CONNECTION, """
                client logs in
                other logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                time 15ms
                satellite <- same
                satellite closes
                master <- Query SELECT 1
                master -> Result a '1' | ReadyForQuery I
                client <- same
                master <- Query SELECT 2
                master -> Result a '2' | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void outcomeOfAWriteIsUnknownWhenTheMasterDies() {
        play("""
                client logs in
                client -> Query INSERT INTO t VALUES (1)
                master <- same
                master closes
                client <- ErrorResponse FATAL 08007 'the master went away while it executed a transaction; its outcome is unknown' H='Look whether its changes are there before you repeat it.'
                client <- closed
                """);
    }

    @Test
    void openBlockEndsWithTheMaster() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                master closes
                client <- ErrorResponse FATAL 57P02 'terminating connection because master went away'
                client <- closed
                """);
    }

    @Test
    void lastWordsOfTheMasterAreTheClients() {
        play("""
                client logs in
                client -> Query INSERT INTO t VALUES (1)
                master <- same
                master -> ErrorResponse FATAL 57P01 'terminating connection due to administrator command'
                client <- same
                master closes
                client <- closed
                """);
    }

    @Test
    void writeWaitsForTheMasterForAWhile() {
        play("""
                client logs in
                master closes
                master refuses
                client -> Query INSERT INTO t VALUES (1)
                time 3s
                time 10s
                client <- ErrorResponse FATAL 57P03 'the master is not available now'
                client <- closed
                """);
    }

    @Test
    void connectionThatSaysWhatItWasNotAskedIsClosed() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                satellite <- closed
                """);
    }

    @Test
    void commitThatNoLongerWaitsForTheRelayIsAcknowledgedLate() {
        play("""
                client logs in
                client -> Query INSERT INTO t VALUES (1)
                master <- same
                master -> NoticeResponse WARNING 01000 'canceling wait for synchronous replication due to user request' F='syncrep.c'
                    | CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- NoticeResponse WARNING 01000 'canceling wait for synchronous replication due to user request' F='syncrep.c'
                time 11s
                client <- CommandComplete INSERT 0 1 | ReadyForQuery I
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void savepointIsLostWithItsSatellite() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SAVEPOINT a
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query SAVEPOINT a
                satellite -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete SAVEPOINT | ReadyForQuery T
                client <- CommandComplete SAVEPOINT | ReadyForQuery T
                client -> Query SELECT 1
                satellite <- same
                satellite closes
                client <- ErrorResponse ERROR 40001 'the Satellite that executed this transaction has failed' H='Try the transaction again.'
                    | ReadyForQuery E
                client -> Query ROLLBACK TO a
                master <- Query BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SELECT
                    | Query ROLLBACK TO SAVEPOINT refused_by_multimed
                    | Query ROLLBACK TO SAVEPOINT refused_by_multimed;ROLLBACK TO a
                master -> CommandComplete BEGIN | ReadyForQuery T
                    | ErrorResponse ERROR 3B001 'savepoint "refused_by_multimed" does not exist' | ReadyForQuery E
                    | ErrorResponse ERROR 3B001 'savepoint "refused_by_multimed" does not exist' | ReadyForQuery E
                client <- ErrorResponse ERROR 40001 'the Satellite that executed this transaction has failed' H='Try the transaction again.'
                    | ReadyForQuery E
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void blockMovesToTheMasterWhenARecoveryConflictEndsIt() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT now()
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query SELECT now()
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result now '1' | ReadyForQuery T
                client <- RowDescription now | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query SELECT 1
                satellite <- same
                satellite -> ErrorResponse ERROR 40001 'canceling statement due to conflict with recovery'
                    | ReadyForQuery E
                master <- Query BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SELECT | Query SELECT 1
                satellite <- Query ROLLBACK
                satellite -> CommandComplete ROLLBACK | ReadyForQuery I
                master -> CommandComplete BEGIN | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readByMessagesWithinABlockRunsOnTheMaster() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Bind - s 'x' | Execute - 0 | Sync
                satellite <- Bind - multimed_1 'x' | Execute - 0 | Sync
                satellite closes
                master <- Query BEGIN READ ONLY | Parse multimed_1 types=25 SELECT $1 | Bind - multimed_1 'x'
                    | Execute - 0 | Sync
                master -> CommandComplete BEGIN | ReadyForQuery T | ParseComplete | BindComplete | DataRow 'x'
                    | CommandComplete SELECT 1 | ReadyForQuery T
                client <- BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void segmentThatIsNotSyncedEndsWithTheMaster() {
        play("""
                client logs in
                client -> Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Flush
                master <- same
                master -> ParseComplete | BindComplete | CommandComplete INSERT 0 1
                client <- same
                master closes
                client <- ErrorResponse FATAL 57P02 'terminating connection because master went away'
                client <- closed
                """);
    }

    @Test
    void outcomeOfACommitIsUnknownWhenTheMasterDies() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master closes
                client <- ErrorResponse FATAL 08007 'the master went away while it executed a transaction; its outcome is unknown' H='Look whether its changes are there before you repeat it.'
                client <- closed
                """);
    }

    @Test
    void idleConnectionThatIsLostIsReplaced() {
        play("""
                client logs in
                master -> ErrorResponse FATAL 57P01 'terminating connection due to administrator command'
                master <- closed
                master closes
                client -> Query INSERT INTO t VALUES (1)
                master-2 opens
                master-2 <- same
                master-2 -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void settingsReportedWhileIdleAreNobodys() {
        play("""
                client logs in
                master -> ParameterStatus in_hot_standby=off | NoticeResponse WARNING 01000 'hear'
                client -> Query INSERT INTO t VALUES (1)
                master <- same
                master -> ParameterStatus TimeZone=UTC | CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }
}
