package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** Prepared statements, which engines know under names of Multimed's. */
class StatementTranscriptsTest {
    @Test
    void statementIsPreparedUnderAnotherName() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Describe S s | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | ParameterDescription 25
                    | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ParameterDescription 25 | RowDescription a | ReadyForQuery I
                client -> Bind - s 'x' | Execute - 0 | Sync
                satellite <- Bind - multimed_1 'x' | Execute - 0 | Sync
                satellite -> BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                client -> Close S s | Sync
                client <- CloseComplete | ReadyForQuery I
                client -> Bind - s 'x' | Execute - 0 | Sync
                master <- same
                master -> ErrorResponse ERROR 26000 'prepared statement "s" does not exist' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                """);
    }

    @Test
    void statementIsPreparedAnewOnAnotherConnection() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                satellite closes
                client -> Bind - s 'x' | Execute - 0 | Sync
                satellite-2 opens
                satellite-2 <- Parse multimed_1 types=25 SELECT $1 | Bind - multimed_1 'x' | Execute - 0 | Sync
                satellite-2 -> ParseComplete | BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void statementIsPreparedAnewInABlockOfTheMaster() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                client -> Bind - s 'x' | Execute - 0 | Sync
                master <- Parse multimed_1 types=25 SELECT $1 | Bind - multimed_1 'x' | Execute - 0 | Sync
                master -> ParseComplete | BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery T
                client <- BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void clientsShareAStatement() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Bind - s '1' | Execute - 0 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Bind - multimed_1 '1' | Execute - 0
                    | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | BindComplete | DataRow '1'
                    | CommandComplete SELECT 1 | ReadyForQuery I
                client <- ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                other logs in
                other -> Parse t SELECT $1 | Bind - t '2' | Execute - 0 | Sync
                satellite <- Bind - multimed_1 '2' | Execute - 0 | Sync
                satellite -> BindComplete | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery I
                other <- ParseComplete | BindComplete | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void severalStatementsInASegment() {
        play("""
                client logs in
                client -> Parse a SELECT 1 | Parse b SELECT 2 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Parse multimed_2 SELECT 2
                    | Describe S multimed_2 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ParseComplete
                    | ParameterDescription | RowDescription b | ReadyForQuery I
                client <- ParseComplete | ParseComplete | ReadyForQuery I
                client -> Bind - a | Execute - 0 | Bind - b | Execute - 0 | Sync
                satellite <- Bind - multimed_1 | Execute - 0 | Bind - multimed_2 | Execute - 0 | Sync
                satellite -> BindComplete | DataRow '1' | CommandComplete SELECT 1 | BindComplete | DataRow '2'
                    | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void writeIsExecutedTwiceInASegment() {
        play("""
                client logs in
                client -> Parse w INSERT INTO t VALUES ($1) | Sync
                master <- Parse multimed_1 INSERT INTO t VALUES ($1) | Describe S multimed_1 | Sync
                master -> ParseComplete | ParameterDescription 23 | NoData | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Bind - w '1' | Execute - 0 | Bind - w '2' | Execute - 0 | Sync
                master <- Bind - multimed_1 '1' | Execute - 0 | Bind - multimed_1 '2' | Execute - 0 | Sync
                master -> BindComplete | CommandComplete INSERT 0 1 | BindComplete | CommandComplete INSERT 0 1
                    | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void nameInUseIsRefusedBehindTheEnginesOwnErrors() {
        play("""
                client logs in
                client -> Parse s SELECT 1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Parse s SELECT 2 | Sync
                satellite <- Parse multimed_nothing SELECT 2 | Close S multimed_nothing | Execute multimed_nothing 0
                    | Sync
                satellite -> ParseComplete | CloseComplete
                    | ErrorResponse ERROR 34000 'portal "multimed_nothing" does not exist' | ReadyForQuery I
                client <- ErrorResponse ERROR 42P05 'prepared statement "s" already exists' | ReadyForQuery I
                client -> Parse s SELEC | Sync
                master <- Parse multimed_nothing SELEC | Close S multimed_nothing | Execute multimed_nothing 0 | Sync
                master -> ErrorResponse ERROR 42601 'syntax error' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void plansAreDiscardedWhenTheSchemaChanges() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Describe S s | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | ParameterDescription 25
                    | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ParameterDescription 25 | RowDescription a | ReadyForQuery I
                client -> Bind - s '1' | Execute - 0 | Sync
                satellite <- Bind - multimed_1 '1' | Execute - 0 | Sync
                satellite -> BindComplete | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                schema 1
                client -> Bind - s '1' | Execute - 0 | Sync
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS | Bind - multimed_1 '1'
                    | Execute - 0 | Sync
                satellite -> CommandComplete SET | CommandComplete DISCARD PLANS | ReadyForQuery I | BindComplete
                    | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- BindComplete | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void statementWhoseResultHasChangedFails() {
        play("""
                client logs in
                client -> Parse s SELECT * FROM t | Describe S s | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT * FROM t | Describe S multimed_1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ParameterDescription
                    | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                satellite closes
                schema 1
                client -> Bind - s | Execute - 0 | Sync
                satellite-2 opens
                satellite-2 <- Parse - SELECT * FROM t | Describe S - | Sync
                satellite-2 -> ParseComplete | ParameterDescription | RowDescription a b | ReadyForQuery I
                satellite-2 <- Execute multimed_nothing 0 | Parse multimed_1 SELECT * FROM t | Bind - multimed_1
                    | Execute - 0 | Sync
                satellite-2 -> ErrorResponse ERROR 34000 'portal "multimed_nothing" does not exist' | ReadyForQuery I
                client <- ErrorResponse ERROR 0A000 'cached plan must not change result type' R='RevalidateCachedQuery'
                    | ReadyForQuery I
                """);
    }

    @Test
    void deallocateFindsAStatementPreparedByMessages() {
        play("""
                client logs in
                client -> Parse s SELECT 1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query DEALLOCATE s
                master <- Close S s | Parse s  | Sync | Query DEALLOCATE s
                master -> CloseComplete | ParseComplete | ReadyForQuery I | CommandComplete DEALLOCATE | ReadyForQuery I
                client <- CommandComplete DEALLOCATE | ReadyForQuery I
                client -> Parse s SELECT 2 | Sync
                satellite <- Parse multimed_2 SELECT 2 | Describe S multimed_2 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                """);
    }

    @Test
    void deallocateAllForgetsStatements() {
        play("""
                client logs in
                client -> Parse s SELECT 1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query DEALLOCATE ALL
                master <- same
                master -> CommandComplete DEALLOCATE ALL | ReadyForQuery I
                client <- same
                client -> Parse s SELECT 2 | Sync
                satellite <- Parse multimed_2 SELECT 2 | Describe S multimed_2 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                """);
    }

    @Test
    void sqlExecutesAStatementPreparedByMessages() {
        play("""
                client logs in
                client -> Parse s SELECT 1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query EXECUTE s
                master <- Close S s | Parse s SELECT 1 | Sync | Query EXECUTE s
                master -> CloseComplete | ParseComplete | ReadyForQuery I | Result a '1' | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                master <- Close S s | Sync
                master -> CloseComplete | ReadyForQuery I
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void sqlExecutesAStatementPreparedByMessagesWithinABlock() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query EXECUTE s('x')
                master <- Query BEGIN | Close S s | Parse s types=25 SELECT $1 | Sync | Query EXECUTE s('x')
                master -> CommandComplete BEGIN | ReadyForQuery T | CloseComplete | ParseComplete | ReadyForQuery T
                    | Result a 'x' | ReadyForQuery T
                client <- RowDescription a | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                master <- Close S s | Sync
                master -> CloseComplete | ReadyForQuery I
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void viewOfStatementsShowsTheClientsOwn() {
        play("""
                client logs in
                client -> Parse s SELECT 1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query SELECT name FROM pg_prepared_statements
                master <- Query SET multimed.self = '1073741825';SET multimed.prepared = E'[{"engine":"mul...
                    | Query SELECT name FROM /*multimed:pg_prepared_statements*/(SELECT r.* FROM pg_ca...
                master -> CommandComplete SET | CommandComplete SET | ReadyForQuery I | Result name 's'
                    | ReadyForQuery I
                client <- RowDescription name | DataRow 's' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void deallocateByMessagesFindsAStatement() {
        play("""
                client logs in
                client -> Parse s SELECT 1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Parse - DEALLOCATE s | Bind - - | Execute - 0 | Sync
                master <- Close S s | Parse s  | Sync | Parse - DEALLOCATE s | Bind - - | Execute - 0 | Sync
                master -> CloseComplete | ParseComplete | ReadyForQuery I | ParseComplete | BindComplete
                    | CommandComplete DEALLOCATE | ReadyForQuery I
                client <- ParseComplete | BindComplete | CommandComplete DEALLOCATE | ReadyForQuery I
                """);
    }

    @Test
    void sqlByMessagesExecutesAStatement() {
        play("""
                client logs in
                client -> Parse s SELECT 1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Parse - EXECUTE s | Bind - - | Execute - 0 | Sync
                master <- Close S s | Parse s SELECT 1 | Sync | Parse - EXECUTE s | Bind - - | Execute - 0 | Sync
                master -> CloseComplete | ParseComplete | ReadyForQuery I | ParseComplete | BindComplete | DataRow '1'
                    | CommandComplete SELECT 1 | ReadyForQuery I
                client <- ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                master <- Close S s | Sync
                master -> CloseComplete | ReadyForQuery I
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void statementPreparedBySqlIsExecutedByMessages() {
        play("""
                client logs in
                client -> Parse - PREPARE s AS SELECT 1 | Bind - - | Execute - 0 | Sync
                master <- same
                master -> ParseComplete | BindComplete | CommandComplete PREPARE | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'PREPARE s' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client -> Bind - s | Execute - 0 | Sync
                master <- same
                master -> BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'PREPARE s' | CommandComplete SELECT 1
                    | ReadyForQuery I
                """);
    }

    @Test
    void statementWhoseResultTheBlockHasChangedFails() {
        play("""
                client logs in
                client -> Parse s SELECT * FROM t | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT * FROM t | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription x | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query ALTER TABLE t ADD y int
                master <- Query BEGIN | Query ALTER TABLE t ADD y int
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete ALTER TABLE | ReadyForQuery T
                client <- CommandComplete ALTER TABLE | ReadyForQuery T
                client -> Bind - s | Execute - 0 | Sync
                master <- Close S multimed_amid | Parse multimed_amid DISCARD PLANS | Bind multimed_amid multimed_amid
                    | Execute multimed_amid 0 | Close P multimed_amid | Close S multimed_amid | Sync
                    | Parse - SELECT * FROM t | Describe S - | Sync
                master -> CloseComplete | ParseComplete | BindComplete | CommandComplete DISCARD PLANS | CloseComplete
                    | CloseComplete | ReadyForQuery T | ParseComplete | ParameterDescription | RowDescription x y
                    | ReadyForQuery T
                master <- Execute multimed_nothing 0 | Parse multimed_3 SELECT * FROM t | Bind - multimed_3
                    | Execute - 0 | Sync
                master -> ErrorResponse ERROR 34000 'portal "multimed_nothing" does not exist' | ReadyForQuery E
                client <- ErrorResponse ERROR 0A000 'cached plan must not change result type' R='RevalidateCachedQuery'
                    | ReadyForQuery E
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                """);
    }

    @Test
    void nameIsFreeAfterAFailedParse() {
        play("""
                client logs in
                client -> Parse s SELECT * FROM nowhere | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT * FROM nowhere | Describe S multimed_1 | Sync
                satellite -> ErrorResponse ERROR 42P01 'relation "nowhere" does not exist' | ReadyForQuery I
                client <- same
                client -> Parse s SELECT 1 | Bind - s | Execute - 0 | Sync
                satellite <- Parse multimed_2 SELECT 1 | Describe S multimed_2 | Bind - multimed_2 | Execute - 0 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | BindComplete | DataRow '1'
                    | CommandComplete SELECT 1 | ReadyForQuery I
                client <- ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void nameIsFreeAfterAParseThatWasIgnored() {
        play("""
                client logs in
                client -> Parse s SELECT 1/0 | Bind - s | Execute - 0 | Parse t SELECT 2 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1/0 | Describe S multimed_1 | Bind - multimed_1 | Execute - 0
                    | Parse multimed_2 SELECT 2 | Describe S multimed_2 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | BindComplete
                    | ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                client <- ParseComplete | BindComplete | ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                client -> Bind - s | Execute - 0 | Sync
                satellite <- Bind - multimed_1 | Execute - 0 | Sync
                satellite -> BindComplete | ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                client <- same
                client -> Parse t SELECT 2 | Sync
                satellite <- Parse multimed_2 SELECT 2 | Describe S multimed_2 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                """);
    }

    @Test
    void statementIsPreparedAnewWhereItsReadRunsAgain() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Bind - s '1' | Execute - 0 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Bind - multimed_1 '1' | Execute - 0
                    | Sync
                satellite -> ParseComplete | ParameterDescription 25 | RowDescription a | BindComplete
                    | ErrorResponse ERROR 25006 'cannot execute in a read-only transaction' | ReadyForQuery I
                master <- Parse multimed_1 types=25 SELECT $1 | Bind - multimed_1 '1' | Execute - 0 | Sync
                master -> ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                """);
    }

    /** On the Master the messages behind a Flush are not examined as a whole. */
    @Test
    void parseBehindAFlushWaitsUntilItIsKnownWhetherItsNameIsTaken() {
        play("""
                client logs in
                client -> Parse - SELECT notes(7) | Execute - 100 | Flush | Parse s FETCH 1 FROM c | Bind - s | Sync
                    | Flush | Parse s COMMIT | Bind - s | Execute - 0 | Sync
                master <- Parse - SELECT notes(7) | Execute - 100 | Flush | Parse multimed_1 FETCH 1 FROM c
                    | Bind - multimed_1 | Sync | Flush
                master -> ParseComplete | ErrorResponse ERROR 34000 'portal "" does not exist'
                client <- same
                master -> ReadyForQuery I
                client <- same
                master <- Parse multimed_2 COMMIT | Bind - multimed_2 | Execute - 0 | Sync
                master -> ParseComplete | BindComplete | CommandComplete COMMIT | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                master <- Close S multimed_2 | Close S multimed_amid | Sync
                master -> CloseComplete | CloseComplete | ReadyForQuery I
                """);
    }
}
