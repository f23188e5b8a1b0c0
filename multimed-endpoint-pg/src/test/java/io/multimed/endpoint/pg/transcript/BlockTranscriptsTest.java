package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** Transaction blocks: when engines hear of them, and what ends them. */
class BlockTranscriptsTest {
    @Test
    void beginReachesTheEngineWithTheFirstStatement() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery T
                client <- same
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void emptyBlockReachesNoEngine() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query COMMIT
                client <- CommandComplete COMMIT | ReadyForQuery I
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query ROLLBACK
                client <- CommandComplete ROLLBACK | ReadyForQuery I
                """);
    }

    @Test
    void warningsAboutBlocksAreTheEngines() {
        play("""
                client logs in
                client -> Query COMMIT
                master <- same
                master -> NoticeResponse WARNING 25P01 'there is no transaction in progress' | CommandComplete COMMIT
                    | ReadyForQuery I
                client <- same
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query BEGIN
                master <- Query BEGIN | Query BEGIN
                master -> CommandComplete BEGIN | ReadyForQuery T
                    | NoticeResponse WARNING 25001 'there is already a transaction in progress' | CommandComplete BEGIN
                    | ReadyForQuery T
                client <- NoticeResponse WARNING 25001 'there is already a transaction in progress'
                    | CommandComplete BEGIN | ReadyForQuery T
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void failedBlockStaysFailedUntilItsEnd() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | ErrorResponse ERROR 23505 'duplicate key'
                    | ReadyForQuery E
                client <- ErrorResponse ERROR 23505 'duplicate key' | ReadyForQuery E
                client -> Query SELECT 1
                master <- same
                master -> ErrorResponse ERROR 25P02 'current transaction is aborted' | ReadyForQuery E
                client <- same
                client -> Query COMMIT
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void blockGoesOnBehindASavepoint() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SAVEPOINT a
                master <- Query BEGIN | Query SAVEPOINT a
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete SAVEPOINT | ReadyForQuery T
                client <- CommandComplete SAVEPOINT | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- same
                master -> ErrorResponse ERROR 23505 'duplicate key' | ReadyForQuery E
                client <- same
                client -> Query ROLLBACK TO a
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery T
                client <- same
                client -> Query RELEASE a
                master <- same
                master -> CommandComplete RELEASE | ReadyForQuery T
                client <- same
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void chainedBlockBeginsOnTheEngine() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT AND CHAIN
                satellite <- Query BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SELECT | Query COMMIT AND CHAIN
                satellite -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete COMMIT | ReadyForQuery T
                client <- CommandComplete COMMIT | ReadyForQuery T
                client -> Query SELECT 1
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery T
                client <- same
                client -> Query ROLLBACK
                satellite <- same
                satellite -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void blockWithinOneQueryIsSentAsItIs() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY; SELECT 1; COMMIT
                satellite opens
                satellite <- same
                satellite -> CommandComplete BEGIN | Result a '1' | CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void blockBegunWithinAQueryGoesOn() {
        play("""
                client logs in
                client -> Query BEGIN; INSERT INTO t VALUES (1)
                master <- same
                master -> CommandComplete BEGIN | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- same
                client -> Query COMMIT AND CHAIN
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery T
                client <- same
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readsOfAReadOnlyBlockAreSeparateTransactions() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query SELECT 2
                satellite <- same
                satellite -> Result a '2' | ReadyForQuery I
                client <- RowDescription a | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                client <- CommandComplete COMMIT | ReadyForQuery I
                """);
    }

    @Test
    void readOnlyBlockBeginsBeforeAFunctionThatDependsOnIt() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT now()
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query SELECT now()
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result now '1' | ReadyForQuery T
                client <- RowDescription now | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query SELECT 2
                satellite <- same
                satellite -> Result a '2' | ReadyForQuery T
                client <- same
                client -> Query COMMIT
                satellite <- same
                satellite -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readOnlyBlockMovesToTheMaster() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT now()
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query SELECT now()
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result now '1' | ReadyForQuery T
                client <- RowDescription now | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query SELECT f()
                master <- Query BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SELECT | Query SELECT f()
                satellite <- Query ROLLBACK
                satellite -> CommandComplete ROLLBACK | ReadyForQuery I
                master -> CommandComplete BEGIN | ReadyForQuery T | Result f '1' | ReadyForQuery T
                client <- RowDescription f | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void readOnlyBlockMovesToTheMasterIfItsSatelliteStaysBehind() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT now()
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query SELECT now()
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result now '1' | ReadyForQuery T
                client <- RowDescription now | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                commit 200
                client -> Query SELECT 1
                time 60ms
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
    void settingsOfABlockMoveWithIt() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SET LOCAL work_mem = '4MB'
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query SET LOCAL work_mem = '4MB'
                satellite -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete SET | ReadyForQuery T
                client <- CommandComplete SET | ReadyForQuery T
                client -> Query SELECT f()
                master <- Query BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL "work_mem" TO '4MB'
                    | Query SELECT f()
                satellite <- Query ROLLBACK
                satellite -> CommandComplete ROLLBACK | ReadyForQuery I
                master -> CommandComplete BEGIN | CommandComplete SET | CommandComplete SET | ReadyForQuery T
                    | Result f '1' | ReadyForQuery T
                client <- RowDescription f | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                """);
    }

    @Test
    void readOnlyBlockWithASavepointCannotMove() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SAVEPOINT a
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query SAVEPOINT a
                satellite -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete SAVEPOINT | ReadyForQuery T
                client <- CommandComplete SAVEPOINT | ReadyForQuery T
                client -> Query SELECT f()
                satellite <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SELECT f()
                satellite -> ErrorResponse ERROR 3B001 'savepoint "refused_by_multimed" does not exist'
                    | ReadyForQuery E
                client <- ErrorResponse ERROR 0A000 'cannot execute on a satellite within this transaction...
                    | ReadyForQuery E
                client -> Query ROLLBACK TO a
                satellite <- same
                satellite -> CommandComplete ROLLBACK | ReadyForQuery T
                client <- same
                client -> Query COMMIT
                satellite <- same
                satellite -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void repeatableReadBlockWithASnapshotCannotMove() {
        play("""
                client logs in
                client -> Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY | Query SELECT 1
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query SELECT f()
                satellite <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SELECT f()
                satellite -> ErrorResponse ERROR 3B001 'savepoint "refused_by_multimed" does not exist'
                    | ReadyForQuery E
                client <- ErrorResponse ERROR 0A000 'cannot execute on a satellite within this transaction...
                    | ReadyForQuery E
                client -> Query COMMIT
                satellite <- same
                satellite -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void repeatableReadBlockWithoutASnapshotBeginsOnTheMaster() {
        play("""
                client logs in
                client -> Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT f()
                master <- Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY | Query SELECT f()
                master -> CommandComplete BEGIN | ReadyForQuery T | Result f '1' | ReadyForQuery T
                client <- RowDescription f | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void errorOfASeparateReadFailsTheBlock() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1/0
                satellite opens
                satellite <- same
                satellite -> ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                client <- ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery E
                client -> Query SELECT 1
                satellite <- Query BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SELECT
                    | Query ROLLBACK TO SAVEPOINT refused_by_multimed | Query SELECT 1
                satellite -> CommandComplete BEGIN | CommandComplete SELECT 0 | ReadyForQuery T
                    | ErrorResponse ERROR 3B001 'savepoint "refused_by_multimed" does not exist' | ReadyForQuery E
                    | ErrorResponse ERROR 25P02 'current transaction is aborted, commands ignored until end of transaction block'
                    | ReadyForQuery E
                client <- ErrorResponse ERROR 25P02 'current transaction is aborted, commands ignored until end of transaction block'
                    | ReadyForQuery E
                client -> Query ROLLBACK
                satellite <- same
                satellite -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void commitOfAFailedReadOnlyBlockReachesNoEngine() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1/0
                satellite opens
                satellite <- same
                satellite -> ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                client <- ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery E
                client -> Query COMMIT
                client <- CommandComplete ROLLBACK | ReadyForQuery I
                """);
    }

    @Test
    void blockMayBecomeReadOnlyByItsFirstStatement() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SET TRANSACTION READ ONLY
                satellite opens
                satellite <- Query BEGIN | Query SET TRANSACTION READ ONLY
                satellite -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete SET | ReadyForQuery T
                client <- CommandComplete SET | ReadyForQuery T
                client -> Query SELECT 1
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery T
                client <- same
                client -> Query COMMIT
                satellite <- same
                satellite -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void cursorBindsTheBlockToItsSatellite() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query DECLARE c CURSOR FOR SELECT 1
                satellite opens
                satellite <- Query BEGIN READ ONLY | Query DECLARE c CURSOR FOR SELECT 1
                satellite -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete DECLARE CURSOR | ReadyForQuery T
                client <- CommandComplete DECLARE CURSOR | ReadyForQuery T
                client -> Query FETCH 1 FROM c
                satellite <- same
                satellite -> RowDescription a | DataRow '1' | CommandComplete FETCH 1 | ReadyForQuery T
                client <- same
                client -> Query COMMIT
                satellite <- same
                satellite -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void blockWithOneSnapshotRunsUnderRepeatableRead() {
        play("""
                client logs in
                client -> Query SET multimed.snapshot = 'transaction'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left multimed.snapshot=transaction
                client -> Query BEGIN READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('multimed.snapshot','transaction',false);
                    | Query BEGIN READ ONLY
                satellite -> CommandComplete SET | CommandComplete SELECT 1 | ReadyForQuery I | CommandComplete BEGIN
                    | ReadyForQuery T
                satellite <- Query SET TRANSACTION ISOLATION LEVEL REPEATABLE READ | Query SELECT 1
                satellite -> CommandComplete SET | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                satellite <- same
                satellite -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void preparedTransactionOutlastsItsBlock() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                client -> Query PREPARE TRANSACTION 'x'
                master <- same
                master -> CommandComplete PREPARE TRANSACTION | ReadyForQuery I
                client <- same
                client -> Query COMMIT PREPARED 'x'
                master <- same
                master -> CommandComplete COMMIT PREPARED | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void blockSentAtOnceIsAnsweredInOrder() {
        play("""
                client logs in
                client -> Query BEGIN | Query INSERT INTO t VALUES (1) | Query COMMIT
                client <- CommandComplete BEGIN | ReadyForQuery T
                master <- same
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readOnlyBlockSentAtOnceIsAnsweredInOrder() {
        play("""
                client logs in
                client -> Query BEGIN READ ONLY | Query SELECT 1 | Query SELECT 2 | Query COMMIT
                client <- CommandComplete BEGIN | ReadyForQuery T
                satellite opens
                satellite <- Query SELECT 1
                satellite -> Result a '1' | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                satellite <- Query SELECT 2
                satellite -> Result a '2' | ReadyForQuery I
                client <- RowDescription a | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery T
                    | CommandComplete COMMIT | ReadyForQuery I
                """);
    }

    @Test
    void deferrableBlockRunsOnTheMaster() {
        play("""
                client logs in
                client -> Query BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                master <- Query BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE | Query SELECT 1
                master -> CommandComplete BEGIN | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void beginThatIsNotUnderstoodIsTheEngines() {
        play("""
                client logs in
                client -> Query BEGIN ISOLATION LEVEL NONSENSE
                master <- same
                master -> ErrorResponse ERROR 42601 'syntax error at or near "NONSENSE"' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                """);
    }

    @Test
    void blockIsReadOnlyByDefault() {
        play("""
                client logs in
                client -> Query SET default_transaction_read_only = on
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left default_transaction_read_only=on
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('default_transaction_read_only','on',false);
                    | Query SELECT 1
                satellite -> CommandComplete SET | Result set_config 'on' | ReadyForQuery I | Result a '1'
                    | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                client <- CommandComplete COMMIT | ReadyForQuery I
                """);
    }

    @Test
    void blockWithinOneQueryGetsOneSnapshotByItsDefault() {
        play("""
                client logs in
                client -> Query SET multimed.snapshot = 'transaction'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left multimed.snapshot=transaction
                client -> Query BEGIN READ ONLY; SELECT 1; COMMIT
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('multimed.snapshot','transaction',false);
                    | Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('default_transaction_isolation','repeatable read',false);
                    | Query BEGIN READ ONLY; SELECT 1; COMMIT
                satellite -> CommandComplete SET | Result set_config 'transaction' | ReadyForQuery I
                    | CommandComplete SET | Result set_config 'repeatable read' | ReadyForQuery I
                    | CommandComplete BEGIN | Result a '1' | CommandComplete COMMIT | ReadyForQuery I
                client <- CommandComplete BEGIN | RowDescription a | DataRow '1' | CommandComplete SELECT 1
                    | CommandComplete COMMIT | ReadyForQuery I
                client -> Query SELECT 1
                satellite <- Query RESET "default_transaction_isolation";
                satellite -> Result a '1' | ReadyForQuery I
                satellite <- Query SELECT 1
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void plansAreDiscardedBeforeDefinitionsAreRolledBack() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query CREATE TABLE u (x int)
                master <- Query BEGIN | Query CREATE TABLE u (x int)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete CREATE TABLE | ReadyForQuery T
                client <- CommandComplete CREATE TABLE | ReadyForQuery T
                client -> Query ROLLBACK
                master <- Close S multimed_amid | Parse multimed_amid DISCARD PLANS | Bind multimed_amid multimed_amid
                    | Execute multimed_amid 0 | Close P multimed_amid | Close S multimed_amid | Sync | Query ROLLBACK
                master -> CloseComplete | ParseComplete | BindComplete | CommandComplete DISCARD PLANS | CloseComplete
                    | CloseComplete | ReadyForQuery T | CommandComplete ROLLBACK | ReadyForQuery I
                client <- CommandComplete ROLLBACK | ReadyForQuery I
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                """);
    }

    /** A segment whose statement is not known yet waits for its classification, also if the client pauses before Sync. */
    @Test
    void pausedSegmentOfANewShapeGoesOnInItsBlock() {
        play("""
                client logs in
                client -> Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY | Query SELECT 1
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- Result a '1' | ReadyForQuery T
                client -> Parse - SELECT 1/0 | Bind - - | Execute - 0
                time 20ms
                satellite <- same
                satellite -> ParseComplete | BindComplete | ErrorResponse ERROR 22012 'division by zero'
                client <- same
                client -> Sync
                satellite <- same
                satellite -> ReadyForQuery E
                client <- same
                """);
    }

    @Test
    void portalsEndWithTheTransactionEvenIfTheEndIsExecutedTwice() {
        play("""
                client logs in
                client -> Parse s BEGIN | Bind - s | Execute - 0 | Sync
                client <- ParseComplete | BindComplete | CommandComplete BEGIN | ReadyForQuery T
                client -> Parse - COMMIT | Bind - - | Execute - 0 | Execute - 0 | Sync
                master <- Query BEGIN | Parse - COMMIT | Bind - - | Execute - 0 | Execute - 0 | Sync
                master -> CommandComplete BEGIN | ReadyForQuery T | ParseComplete | BindComplete | CommandComplete COMMIT
                    | ErrorResponse ERROR 34000 'portal "" does not exist' R='exec_execute_message' | ReadyForQuery I
                client <- ParseComplete | BindComplete | CommandComplete COMMIT
                    | ErrorResponse ERROR 34000 'portal "" does not exist' R='exec_execute_message' | ReadyForQuery I
                """);
    }

    @Test
    void beginThatIsBoundAndNotExecutedBeginsNoBlock() {
        play("""
                client logs in
                client -> Parse s BEGIN READ ONLY | Bind c s | Sync
                satellite opens
                satellite <- Parse multimed_1 BEGIN READ ONLY | Bind c multimed_1 | Sync
                satellite -> ParseComplete | BindComplete | ReadyForQuery I
                client <- same
                client -> Bind c s | Sync | Query INSERT INTO t VALUES (3)
                satellite <- Bind c multimed_1 | Sync
                satellite -> BindComplete | ReadyForQuery I
                client <- same
                master <- Query INSERT INTO t VALUES (3)
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void unitBehindABeginThatMayFailWaitsForItsReply() {
        play("""
                client logs in
                client -> Parse s BEGIN READ ONLY | Bind c s | Sync
                satellite opens
                satellite <- Parse multimed_1 BEGIN READ ONLY | Bind c multimed_1 | Sync
                satellite -> ParseComplete | BindComplete | ReadyForQuery I
                client <- same
                client -> Parse s BEGIN READ ONLY | Bind c s | Execute c 0 | Sync | Query INSERT INTO t VALUES (3)
                satellite <- Parse multimed_nothing BEGIN READ ONLY | Close S multimed_nothing
                    | Execute multimed_nothing 0 | Bind c multimed_1 | Execute c 0 | Sync
                satellite -> ParseComplete | CloseComplete
                    | ErrorResponse ERROR 34000 'portal "multimed_nothing" does not exist' | ReadyForQuery I
                client <- ErrorResponse ERROR 42P05 'prepared statement "s" already exists' | ReadyForQuery I
                master <- Query INSERT INTO t VALUES (3)
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void queryBehindABeginAmongOtherStatementsWaitsForItsReply() {
        play("""
                client logs in
                client -> Query SELECT 1/0; BEGIN READ ONLY
                satellite opens
                satellite <- same
                client -> Query INSERT INTO t VALUES (3)
                satellite -> ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                client <- same
                master <- Query INSERT INTO t VALUES (3)
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void commitThatIsExecutedBehindAPauseEndsTheBlockOnItsSatellite() {
        play("""
                client logs in
                client -> Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SELECT 1
                satellite opens
                satellite <- Query BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY | Query SELECT 1
                satellite -> CommandComplete BEGIN | ReadyForQuery T | Result a '1' | ReadyForQuery T
                client <- Result a '1' | ReadyForQuery T
                client -> Parse - COMMIT | Bind - -
                time 50ms
                satellite <- same
                client -> Execute - 0 | Sync
                satellite <- same
                satellite -> ParseComplete | BindComplete | CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }
}
