package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** The state of a session that follows it, or binds it to its connection. */
class SettingTranscriptsTest {
    @Test
    void settingsFollowTheSession() {
        play("""
                client logs in
                client -> Query SET work_mem = '4MB'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left work_mem=4MB
                client -> Query SELECT 1
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('work_mem','4MB',false);
                    | Query SELECT 1
                satellite -> CommandComplete SET | Result set_config '4MB' | ReadyForQuery I | Result a '1'
                    | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                other logs in
                other -> Query SELECT 1
                satellite <- Query RESET "work_mem"; | Query SELECT 1
                satellite -> CommandComplete RESET | ReadyForQuery I | Result a '1' | ReadyForQuery I
                other <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void settingThatIsRolledBackIsNotCarriedOn() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query SET work_mem = '4MB'
                master <- Query BEGIN | Query SET work_mem = '4MB'
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete SET | ReadyForQuery T
                client <- CommandComplete SET | ReadyForQuery T
                client -> Query ROLLBACK
                master <- same
                master -> CommandComplete ROLLBACK | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void reportedSettingIsNotReportedAgainElsewhere() {
        play("""
                client logs in
                client -> Query SET client_encoding = 'LATIN1'
                master <- same
                master -> ParameterStatus client_encoding=LATIN1 | CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.encode(pg...
                master -> CommandComplete SET | RowDescription name setting
                    | DataRow '636c69656e745f656e636f64696e67' '4c4154494e31' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client -> Query SELECT 1
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('client_encoding','LATIN1',false);
                    | Query SELECT 1
                satellite -> CommandComplete SET | ParameterStatus client_encoding=LATIN1 | Result set_config 'LATIN1'
                    | ReadyForQuery I | Result a '1' | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void settingsThatWereResetAreForgotten() {
        play("""
                client logs in
                client -> Query SET work_mem = '4MB'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left work_mem=4MB
                client -> Query RESET ALL
                master <- same
                master -> CommandComplete RESET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void applicationNameIsSetBeforeWhatDependsOnIt() {
        play("""
                client logs in application_name=one
                client -> Query SET application_name = 'two'
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('application_name','one',false);
                    | Query SET application_name = 'two'
                master -> CommandComplete SET | ParameterStatus application_name=one | Result set_config 'one'
                    | ReadyForQuery I | ParameterStatus application_name=two | CommandComplete SET | ReadyForQuery I
                client <- ParameterStatus application_name=two | CommandComplete SET | ReadyForQuery I
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left application_name=two
                client -> Query SELECT 1
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('application_name','two',false);
                    | Query SELECT 1
                satellite -> CommandComplete SET | ParameterStatus application_name=two | Result set_config 'two'
                    | ReadyForQuery I | Result a '1' | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void roleBindsTheSessionToItsConnection() {
        play("""
                client logs in
                client -> Query SET ROLE r
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'role' | CommandComplete SELECT 1 | ReadyForQuery I
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query RESET ROLE
                master <- same
                master -> CommandComplete RESET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void temporaryTableBindsTheSessionToItsConnection() {
        play("""
                client logs in
                client -> Query CREATE TEMPORARY TABLE t (x int)
                master <- same
                master -> CommandComplete CREATE TABLE | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'temporary objects' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query DISCARD ALL
                master <- same
                master -> CommandComplete DISCARD ALL | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void statementAboutATemporaryTableRunsWhereThatIs() {
        play("""
                client logs in
                client -> Query CREATE TEMPORARY TABLE t (x int)
                master <- same
                master -> CommandComplete CREATE TABLE | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'temporary objects' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client -> Parse s SELECT * FROM t | Bind - s | Execute - 0 | Sync
                master <- Parse multimed_1 SELECT * FROM t | Describe S multimed_1 | Bind - multimed_1 | Execute - 0
                    | Sync
                master -> ParseComplete | ParameterDescription | RowDescription x | BindComplete | DataRow '1'
                    | CommandComplete SELECT 1 | ReadyForQuery I
                client <- ParseComplete | BindComplete | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                client -> Query DROP TABLE t
                master <- same
                master -> CommandComplete DROP TABLE | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS;SELECT CASE W...
                master -> Left
                master <- Close S multimed_1 | Close S multimed_amid | Sync
                """);
    }

    @Test
    void advisoryLockBindsTheSessionToItsConnection() {
        play("""
                client logs in
                client -> Query SELECT pg_advisory_lock(1)
                master <- same
                master -> Result l '' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'advisory locks' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                client closes
                master <- Terminate
                master <- closed
                """);
    }

    @Test
    void cursorWithHoldBindsTheSessionToItsConnection() {
        play("""
                client logs in
                client -> Query DECLARE c CURSOR WITH HOLD FOR SELECT 1
                master <- same
                master -> CommandComplete DECLARE CURSOR | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'cursors WITH HOLD' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client -> Query FETCH 1 FROM c
                master <- same
                master -> RowDescription a | DataRow '1' | CommandComplete FETCH 1 | ReadyForQuery I
                client <- same
                client -> Query CLOSE c
                master <- same
                master -> CommandComplete CLOSE CURSOR | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void statementPreparedBySqlBindsTheSessionToItsConnection() {
        play("""
                client logs in
                client -> Query PREPARE s AS SELECT 1
                master <- same
                master -> CommandComplete PREPARE | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'PREPARE s' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client -> Query EXECUTE s
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'PREPARE s' | CommandComplete SELECT 1
                    | ReadyForQuery I
                client -> Query DEALLOCATE s
                master <- same
                master -> CommandComplete DEALLOCATE | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void codeIsFollowedByTheQuestionWhatItHasLeft() {
        play("""
                client logs in
                client -> Query DO $$ BEGIN END $$
                master <- same
                master -> CommandComplete DO | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void parameterThatAFunctionSetsFollowsTheSession() {
        play("""
                client logs in
                client -> Query SELECT set_config('my.x', 'y', false)
                master <- same
                master -> Result set_config 'y' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left my.x=y
                client -> Query SELECT current_setting('my.x')
                master <- same
                master -> Result current_setting 'y' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void lastValueOfASequenceBindsTheSessionToItsConnection() {
        play("""
                client logs in
                client -> Query SELECT nextval('s')
                master <- same
                master -> Result nextval '1' | ReadyForQuery I
                client <- same
                client -> Query SELECT currval('s')
                master <- same
                master -> Result currval '1' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void discardAllEndsListening() {
        play("""
                client logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                client -> Parse s SELECT 1 | Sync
                satellite opens
                satellite <- Parse multimed_1 SELECT 1 | Describe S multimed_1 | Sync
                satellite -> ParseComplete | ParameterDescription | RowDescription a | ReadyForQuery I
                client <- ParseComplete | ReadyForQuery I
                client -> Query DISCARD ALL
                master <- same
                master -> CommandComplete DISCARD ALL | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master-2 <- Query UNLISTEN "c"
                master -> Left
                master-2 -> CommandComplete UNLISTEN | ReadyForQuery I
                master-2 <- Terminate
                master-2 <- closed
                """);
    }

    @Test
    void shortTimeoutDoesNotHoldForWhatMultimedTells() {
        play("""
                client logs in
                client -> Query SET statement_timeout = '500ms'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left statement_timeout=500
                client -> Query SELECT 1
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('statement_timeout','500',false);
                    | Query SELECT 1
                satellite -> CommandComplete SET | Result set_config '500' | ReadyForQuery I | Result a '1'
                    | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                other logs in
                other -> Query SELECT 1
                satellite <- Query SET statement_timeout = 0
                satellite -> CommandComplete SET | ReadyForQuery I
                satellite <- Query RESET "statement_timeout";
                satellite -> CommandComplete RESET | ReadyForQuery I
                satellite <- Query SELECT 1
                satellite -> Result a '1' | ReadyForQuery I
                other <- same
                """);
    }
}
