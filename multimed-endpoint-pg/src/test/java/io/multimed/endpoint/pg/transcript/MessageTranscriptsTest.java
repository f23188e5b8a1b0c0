package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** Extended query messages. */
class MessageTranscriptsTest {
    @Test
    void readByMessagesIsSentAsItIs() {
        play("""
                client logs in
                client -> Parse - SELECT $1 | Bind - - 'x' | Describe P - | Execute - 0 | Sync
                satellite opens
                satellite <- same
                satellite -> ParseComplete | BindComplete | RowDescription a | DataRow 'x' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void segmentIsSentOnceItIsWhole() {
        play("""
                client logs in
                client -> Parse - SELECT 1
                client -> Bind - - | Describe P -
                client -> Execute - 0
                client -> Sync
                satellite opens
                satellite <- Parse - SELECT 1 | Bind - - | Describe P - | Execute - 0 | Sync
                satellite -> ParseComplete | BindComplete | RowDescription a | DataRow '1' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void segmentIsSentWhenTheClientPauses() {
        play("""
                client logs in
                client -> Parse - SELECT 1 | Bind - - | Execute - 0
                time 2s
                master <- same
                master -> ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1
                client <- same
                client -> Sync
                master <- same
                master -> ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void flushSendsTheSegmentToTheMaster() {
        play("""
                client logs in
                client -> Parse s SELECT $1 | Describe S s | Flush
                master <- Parse multimed_1 SELECT $1 | Describe S multimed_1 | Describe S multimed_1 | Flush
                master -> ParseComplete | ParameterDescription 25 | RowDescription a | ParameterDescription 25
                    | RowDescription a
                client <- ParseComplete | ParameterDescription 25 | RowDescription a
                client -> Bind - s 'x' | Execute - 0 | Sync
                master <- Bind - multimed_1 'x' | Execute - 0 | Sync
                master -> BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                master <- Close S multimed_1 | Close S multimed_amid | Sync
                """);
    }

    @Test
    void portalIsFetchedInPieces() {
        play("""
                client logs in
                client -> Parse - SELECT 1 | Bind - - | Execute - 1 | Flush
                master <- same
                master -> ParseComplete | BindComplete | DataRow '1' | PortalSuspended
                client <- same
                client -> Execute - 1 | Flush
                master <- same
                master -> DataRow '2' | PortalSuspended
                client <- same
                client -> Sync
                master <- same
                master -> ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void unnamedPortalIsSuspended() {
        play("""
                client logs in
                client -> Parse - SELECT 1 | Bind - - | Execute - 1 | Sync
                satellite opens
                satellite <- same
                satellite -> ParseComplete | BindComplete | DataRow '1' | PortalSuspended | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void syncAloneIsAnsweredHere() {
        play("""
                client logs in
                client -> Sync
                client <- ReadyForQuery I
                client -> Flush
                client -> Sync
                client <- ReadyForQuery I
                """);
    }

    @Test
    void writeByMessagesIsSentAsItIs() {
        play("""
                client logs in
                client -> Parse - INSERT INTO t VALUES ($1) | Bind - - '1' | Describe P - | Execute - 0 | Sync
                master <- same
                master -> ParseComplete | BindComplete | NoData | CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void segmentThatAlsoWritesGoesToTheMasterAsAWhole() {
        play("""
                client logs in
                client -> Parse - SELECT 1 | Bind - - | Execute - 0 | Parse - INSERT INTO t VALUES (1) | Bind - -
                    | Execute - 0 | Sync
                master <- same
                master -> ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ParseComplete
                    | BindComplete | CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void segmentsSentAtOnceAreAnsweredInOrder() {
        play("""
                client logs in
                client -> Parse - SELECT 1 | Bind - - | Execute - 0 | Sync | Parse - INSERT INTO t VALUES (1) | Bind - -
                    | Execute - 0 | Sync | Parse - SELECT 2 | Bind - - | Execute - 0 | Sync
                satellite opens
                satellite <- Parse - SELECT 1 | Bind - - | Execute - 0 | Sync
                satellite -> ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                master <- Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Sync | Parse - SELECT 2 | Bind - -
                    | Execute - 0 | Sync
                master -> ParseComplete | BindComplete | CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                master -> ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void beginByMessagesIsDeferred() {
        play("""
                client logs in
                client -> Parse - BEGIN | Bind - - | Execute - 0 | Sync
                client <- ParseComplete | BindComplete | CommandComplete BEGIN | ReadyForQuery T
                client -> Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Sync
                master <- Query BEGIN | Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Sync
                master -> CommandComplete BEGIN | ReadyForQuery T | ParseComplete | BindComplete
                    | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- ParseComplete | BindComplete | CommandComplete INSERT 0 1 | ReadyForQuery T
                client -> Parse - COMMIT | Bind - - | Execute - 0 | Sync
                master <- same
                master -> ParseComplete | BindComplete | CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readsOfABlockByMessagesAreSeparateTransactions() {
        play("""
                client logs in
                client -> Parse - BEGIN READ ONLY | Bind - - | Execute - 0 | Sync
                client <- ParseComplete | BindComplete | CommandComplete BEGIN | ReadyForQuery T
                client -> Parse - SELECT 1 | Bind - - | Execute - 0 | Sync
                satellite opens
                satellite <- same
                satellite -> ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Parse - COMMIT | Bind - - | Execute - 0 | Sync
                client <- ParseComplete | BindComplete | CommandComplete COMMIT | ReadyForQuery I
                """);
    }

    @Test
    void blockBegunWithinASegmentIsNotTold() {
        play("""
                client logs in
                client -> Parse - BEGIN READ ONLY | Bind - - | Execute - 0 | Parse - SELECT 1 | Bind - - | Execute - 0
                    | Sync
                satellite opens
                satellite <- Parse - BEGIN READ ONLY | Parse - SELECT 1 | Bind - - | Execute - 0 | Sync
                satellite -> ParseComplete | ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client <- ParseComplete | BindComplete | CommandComplete BEGIN | ParseComplete | BindComplete
                    | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery T
                client -> Parse - COMMIT | Bind - - | Execute - 0 | Sync
                client <- ParseComplete | BindComplete | CommandComplete COMMIT | ReadyForQuery I
                """);
    }

    @Test
    void preparedBeginIsDeferred() {
        play("""
                client logs in
                client -> Parse b BEGIN | Parse c COMMIT | Sync
                satellite opens
                satellite <- Parse multimed_1 BEGIN | Parse multimed_2 COMMIT | Sync
                satellite -> ParseComplete | ParseComplete | ReadyForQuery I
                client <- same
                client -> Bind - b | Execute - 0 | Sync
                client <- BindComplete | CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                client -> Bind - c | Execute - 0 | Sync
                master <- Parse multimed_2 COMMIT | Bind - multimed_2 | Execute - 0 | Sync
                master -> ParseComplete | BindComplete | CommandComplete COMMIT | ReadyForQuery I
                client <- BindComplete | CommandComplete COMMIT | ReadyForQuery I
                """);
    }

    @Test
    void portalsLastForTheirBlock() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Parse - SELECT 1 | Bind p - | Execute p 1 | Sync
                master <- Query BEGIN | Parse - SELECT 1 | Bind p - | Execute p 1 | Sync
                master -> CommandComplete BEGIN | ReadyForQuery T | ParseComplete | BindComplete | DataRow '1'
                    | PortalSuspended | ReadyForQuery T
                client <- ParseComplete | BindComplete | DataRow '1' | PortalSuspended | ReadyForQuery T
                client -> Execute p 1 | Close P p | Sync
                master <- same
                master -> DataRow '1' | CommandComplete SELECT 1 | CloseComplete | ReadyForQuery T
                client <- same
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void portalsOfOneStatementAndTheirEnd() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Parse s SELECT 1 | Bind p s | Describe P p | Execute p 0 | Bind q s | Execute q 0 | Close P p
                    | Close S s | Sync
                master <- Query BEGIN | Parse multimed_1 SELECT 1 | Describe S multimed_1 | Bind p multimed_1
                    | Describe P p | Execute p 0 | Bind q multimed_1 | Execute q 0 | Close P p | Sync
                master -> CommandComplete BEGIN | ReadyForQuery T | ParseComplete | ParameterDescription
                    | RowDescription a | BindComplete | RowDescription a | DataRow '1' | CommandComplete SELECT 1
                    | BindComplete | DataRow '1' | CommandComplete SELECT 1 | CloseComplete | ReadyForQuery T
                client <- ParseComplete | BindComplete | RowDescription a | DataRow '1' | CommandComplete SELECT 1
                    | BindComplete | DataRow '1' | CommandComplete SELECT 1 | CloseComplete | CloseComplete
                    | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void errorBehindADeferredBegin() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Sync
                master <- Query BEGIN | Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Sync
                master -> CommandComplete BEGIN | ReadyForQuery T | ParseComplete | BindComplete
                    | ErrorResponse ERROR 23505 'duplicate key' | ReadyForQuery E
                client <- ParseComplete | BindComplete | ErrorResponse ERROR 23505 'duplicate key' | ReadyForQuery E
                client -> Parse - ROLLBACK | Bind - - | Execute - 0 | Sync
                master <- same
                master -> ParseComplete | BindComplete | CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void messagesBehindAnErrorAreIgnoredUpToSync() {
        play("""
                client logs in
                client -> Parse - SELECT $1::int | Bind - - 'x' | Execute - 0 | Parse t SELECT 2 | Sync
                satellite opens
                satellite <- Parse - SELECT $1::int | Bind - - 'x' | Execute - 0 | Parse multimed_1 SELECT 2
                    | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ErrorResponse ERROR 22P02 'invalid input syntax for type integer: "x"'
                    | ReadyForQuery I
                client <- same
                client -> Bind - t | Execute - 0 | Sync
                master <- same
                master -> ErrorResponse ERROR 26000 'prepared statement "t" does not exist' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                """);
    }

    @Test
    void failedParseLeavesNoStatement() {
        play("""
                client logs in
                client -> Parse s SELEC 1 | Bind - s | Execute - 0 | Sync
                master <- Parse multimed_1 SELEC 1 | Bind - multimed_1 | Execute - 0 | Sync
                master -> ErrorResponse ERROR 42601 'syntax error at or near "SELEC"' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                client -> Bind - s | Execute - 0 | Sync
                master <- same
                master -> ErrorResponse ERROR 26000 'prepared statement "s" does not exist' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                """);
    }

    @Test
    void statementThatIsNotThere() {
        play("""
                client logs in
                client -> Describe S nothing | Sync
                master <- same
                master -> ErrorResponse ERROR 26000 'prepared statement "nothing" does not exist' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                client -> Close S nothing | Sync
                client <- CloseComplete | ReadyForQuery I
                """);
    }

    @Test
    void portalThatIsNotThere() {
        play("""
                client logs in
                client -> Describe P nothing | Sync
                satellite opens
                satellite <- same
                satellite -> ErrorResponse ERROR 34000 'portal "nothing" does not exist' | ReadyForQuery I
                client <- same
                client -> Execute nothing 0 | Sync
                satellite <- same
                satellite -> ErrorResponse ERROR 34000 'portal "nothing" does not exist' | ReadyForQuery I
                client <- same
                client -> Close P nothing | Sync
                client <- CloseComplete | ReadyForQuery I
                satellite -> CloseComplete | ReadyForQuery I
                satellite <- closed
                """);
    }

    @Test
    void settingByMessagesFollowsTheSession() {
        play("""
                client logs in
                client -> Parse - SET work_mem = '4MB' | Bind - - | Execute - 0 | Sync
                master <- same
                master -> ParseComplete | BindComplete | CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left work_mem=4MB
                client -> Parse s SELECT 1 | Bind - s | Execute - 0 | Sync
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('work_mem','4MB',false);
                    | Parse multimed_1 SELECT 1 | Describe S multimed_1 | Bind - multimed_1 | Execute - 0 | Sync
                satellite -> CommandComplete SET | Result set_config '4MB' | ReadyForQuery I | ParseComplete
                    | ParameterDescription | RowDescription a | BindComplete | DataRow '1' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client <- ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void routeIsShownByMessages() {
        play("""
                client logs in
                client -> Parse - SHOW multimed.route | Bind - - | Describe P - | Execute - 0 | Sync
                client <- ParseComplete | BindComplete | RowDescription multimed.route | DataRow 'none yet'
                    | CommandComplete SHOW | ReadyForQuery I
                client -> Parse r SHOW multimed.route | Describe S r | Sync
                client <- ParseComplete | ParameterDescription | RowDescription multimed.route | ReadyForQuery I
                client -> Bind - r | Execute - 0 | Sync
                client <- BindComplete | DataRow 'none yet' | CommandComplete SHOW | ReadyForQuery I
                """);
    }

    @Test
    void functionCallGoesToTheMaster() {
        play("""
                client logs in
                client -> FunctionCall 2308 '1'
                master <- same
                master -> FunctionCallResponse '1' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void unnamedStatementMayBeClosed() {
        play("""
                client logs in
                client -> Parse - SELECT 1 | Close S - | Sync
                satellite opens
                satellite <- same
                satellite -> ParseComplete | CloseComplete | ReadyForQuery I
                client <- same
                client -> Bind - - | Sync
                master <- Bind - multimed_nothing | Sync
                master -> ErrorResponse ERROR 26000 'prepared statement "multimed_nothing" does not exist'
                    | ReadyForQuery I
                client <- ErrorResponse ERROR 26000 'unnamed prepared statement does not exist' | ReadyForQuery I
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                """);
    }

    @Test
    void unnamedStatementIsPreparedAnewBehindAnothers() {
        play("""
                client logs in
                client -> Parse - SELECT $1 | Sync
                satellite opens
                satellite <- same
                satellite -> ParseComplete | ReadyForQuery I
                client <- same
                client -> Bind - - 'x' | Execute - 0 | Sync
                satellite <- same
                satellite -> BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                other logs in
                other -> Parse - SELECT 2 | Bind - - | Execute - 0 | Sync
                satellite <- same
                satellite -> ParseComplete | BindComplete | DataRow '2' | CommandComplete SELECT 1 | ReadyForQuery I
                other <- same
                client -> Bind - - 'x' | Execute - 0 | Sync
                satellite <- Parse - SELECT $1 | Bind - - 'x' | Execute - 0 | Sync
                satellite -> ParseComplete | BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery I
                client <- BindComplete | DataRow 'x' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void invalidSettingOfMultimedIsRefusedInASegment() {
        play("""
                client logs in
                client -> Parse - SET multimed.reads = 'x' | Bind - - | Execute - 0 | Sync
                master <- Parse - SET multimed.reads = 'x' | Bind - multimed_nothing | Execute - 0 | Sync
                master -> ParseComplete
                    | ErrorResponse ERROR 26000 'prepared statement "multimed_nothing" does not exist' | ReadyForQuery I
                client <- ParseComplete
                    | ErrorResponse ERROR 22023 'invalid value for parameter "multimed.reads": "x"' H='Available values: anywhere, declared, master.'
                    | ReadyForQuery I
                """);
    }

    @Test
    void invalidSettingOfMultimedIsRefusedInItsPlace() {
        play("""
                client logs in
                client -> Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Parse - SET multimed.reads = 'x'
                    | Bind - - | Execute - 0 | Sync
                master <- Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Parse - SET multimed.reads = 'x'
                    | Bind - multimed_nothing | Execute - 0 | Sync
                master -> ParseComplete | BindComplete | CommandComplete INSERT 0 1 | ParseComplete
                    | ErrorResponse ERROR 26000 'prepared statement "multimed_nothing" does not exist' | ReadyForQuery I
                client <- ParseComplete | BindComplete | CommandComplete INSERT 0 1 | ParseComplete
                    | ErrorResponse ERROR 22023 'invalid value for parameter "multimed.reads": "x"' H='Available values: anywhere, declared, master.'
                    | ReadyForQuery I
                """);
    }

    @Test
    void messagesBehindAnErrorAndAFlushAreIgnored() {
        play("""
                client logs in
                client -> Parse - SELECT 1/0 | Bind - - | Execute - 0 | Flush
                master <- same
                master -> ParseComplete | BindComplete | ErrorResponse ERROR 22012 'division by zero'
                client <- same
                client -> Parse - SELECT 1 | Bind - - | Execute - 0
                client -> Query SELECT 5
                client -> Sync
                master <- same
                master -> ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void binaryValuesAreSentAsTheyAre() {
        play("""
                client logs in
                client -> Parse s types=23 SELECT $1 | Sync
                satellite opens
                satellite <- Parse multimed_1 types=23 SELECT $1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription 23 | RowDescription a:23 | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Bind - s x'31' NULL formats=1 results=1 | Execute - 0 | Sync
                satellite <- Bind - multimed_1 '1' NULL formats=1 results=1 | Execute - 0 | Sync
                satellite -> BindComplete | DataRow x'00000001' NULL | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void portalOfACursorsName() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query DECLARE c CURSOR FOR SELECT 1
                master <- Query BEGIN | Query DECLARE c CURSOR FOR SELECT 1
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete DECLARE CURSOR | ReadyForQuery T
                client <- CommandComplete DECLARE CURSOR | ReadyForQuery T
                client -> Parse - SELECT 1 | Bind c - | Execute c 0 | Sync
                master <- same
                master -> ParseComplete | ErrorResponse ERROR 42P03 'cursor "c" already exists' | ReadyForQuery E
                client <- same
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void processesAreToldAmidASegment() {
        play("""
                client logs in
                client -> Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Flush
                master <- same
                master -> ParseComplete | BindComplete | CommandComplete INSERT 0 1
                client <- same
                client -> Parse - SELECT pg_backend_pid() | Bind - - | Execute - 0 | Sync
                master <- Parse - SELECT /*multimed:pg_backend_pid()*/(SELECT COALESCE(NULLIF(pg_catalog.c...
                    | Close S multimed_amid | Parse multimed_amid SET multimed.self = '1073741825'
                    | Bind multimed_amid multimed_amid | Execute multimed_amid 0 | Close P multimed_amid
                    | Close S multimed_amid | Bind - - | Execute - 0 | Sync
                master -> ParseComplete | CloseComplete | ParseComplete | BindComplete | CommandComplete SET
                    | CloseComplete | CloseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client <- ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                """);
    }

    @Test
    void emptyStatementByMessages() {
        play("""
                client logs in
                client -> Parse - ; | Bind - - | Execute - 0 | Sync
                satellite opens
                satellite <- same
                satellite -> ParseComplete | BindComplete | EmptyQueryResponse | ReadyForQuery I
                client <- same
                """);
    }

    /**
     * PostgreSQL 18 does not commit a transaction that a Query amid messages without Sync belongs to, and says so only in the next
     * one (XX000 by StartTransactionCommand).
     */
    @Test
    void transactionThatTheEngineHasLostIsNotLostInSilence() {
        play("""
                client logs in
                client -> Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Query INSERT INTO t VALUES (2) | Sync
                master <- Parse - INSERT INTO t VALUES (1) | Bind - - | Execute - 0 | Flush
                master -> ParseComplete | BindComplete | CommandComplete INSERT 0 1
                client <- same
                master <- Query INSERT INTO t VALUES (2) | Sync
                master -> CommandComplete INSERT 0 1 | ReadyForQuery T | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> ErrorResponse ERROR XX000 'StartTransactionCommand: unexpected state STARTED'
                    R='StartTransactionCommand' | ReadyForQuery I
                client <- ErrorResponse FATAL XX000 'the engine has lost the transaction before: StartTransactionCommand: unexpected state STARTED'
                    H='Look whether its changes are there before you repeat it.'
                client <- closed
                master <- Terminate
                master <- closed
                """);
    }

    /** An object that another session drops at the same moment fails with XX000 too. */
    @Test
    void questionThatFailsByChanceIsAskedAgain() {
        play("""
                client logs in
                client -> Query SET search_path = a
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> ErrorResponse ERROR XX000 'cache lookup failed' R='get_object' | ReadyForQuery I
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT name, pg_catalog.current_setting(name) FROM (VALUES ...
                master -> Left
                """);
    }
}
