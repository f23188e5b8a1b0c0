package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** The node that a unit runs on, and its waits for that node. */
class RouteTranscriptsTest {
    @Test
    void readGoesToASatelliteThatIsFresh() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query SHOW multimed.route
                client <- RowDescription multimed.route | DataRow 'satellite-1: read on a fresh satellite'
                    | CommandComplete SHOW | ReadyForQuery I
                """);
    }

    @Test
    void readWaitsUntilASatelliteHasAppliedTheLatestCommit() {
        play("""
                client logs in
                commit 200
                client -> Query SELECT 1
                satellite applied 199
                satellite applied 200
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readThatHasWaitedInVainGoesToTheMasterAndLaterOnesAtOnce() {
        play("""
                client logs in
                commit 200
                client -> Query SELECT 1
                time 60ms
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query SELECT 2
                master <- same
                master -> Result a '2' | ReadyForQuery I
                client <- same
                satellite applied 200
                client -> Query SELECT 3
                satellite opens
                satellite <- same
                satellite -> Result a '3' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void writeGoesToTheMaster() {
        play("""
                client logs in
                client -> Query INSERT INTO t VALUES (1)
                master <- same
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                client -> Query SHOW multimed.route
                client <- RowDescription multimed.route | DataRow 'master: may write (INSERT)' | CommandComplete SHOW
                    | ReadyForQuery I
                """);
    }

    @Test
    void functionThatNobodyKnowsGoesToTheMaster() {
        play("""
                client logs in
                client -> Query SELECT f()
                master <- same
                master -> Result f '1' | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left
                """);
    }

    @Test
    void withoutTheRelayTheMasterAnswersReads() {
        play("""
                client logs in
                relay disconnects
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                relay returns
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void withoutSatellitesTheMasterAnswersReads() {
        play("""
                client logs in
                satellite rests
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readForASatelliteThatCannotBeReachedGoesToTheMaster() {
        play("""
                client logs in
                satellite refuses
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readsGoToTheLeastLoadedSatellite() {
        play(Scene.USUAL.withSecond(), """
                client logs in
                other logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                other -> Query SELECT 2
                second opens
                second <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                second -> Result a '1' | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void sessionMaySendItsReadsToTheMaster() {
        play("""
                client logs in
                client -> Query SET multimed.reads = 'master'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left multimed.reads=master
                client -> Query SELECT 1
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query RESET multimed.reads
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
    void sessionThatWantsItWaitsForItsOwnCommitsOnly() {
        play("""
                client logs in
                client -> Query SET multimed.freshness = 'session'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left multimed.freshness=session
                commit 200
                client -> Query SELECT 1
                satellite opens
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT pg_catalog.set_config('multimed.freshness','session',false);
                    | Query SELECT 1
                satellite -> CommandComplete SET | Result set_config 'session' | ReadyForQuery I | Result a '1'
                    | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                client -> Query INSERT INTO t VALUES (1)
                master <- same
                commit 300
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                client -> Query SELECT 1
                satellite applied 200
                satellite applied 300
                satellite <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;DISCARD PLANS | Query SELECT 1
                satellite -> CommandComplete SET | CommandComplete DISCARD PLANS | ReadyForQuery I | Result a '1'
                    | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void readThatMayLagWaitsAndGoesToTheMasterWhereNoSatelliteIsRecentEnough() {
        play("""
                client logs in
                client -> Query SET multimed.freshness = 'eventual'
                master <- same
                master -> CommandComplete SET | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> Left multimed.freshness=eventual
                commit 200
                client -> Query SELECT 1
                time 60ms
                master <- same
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void writeWaitsUntilTheMasterShowsWhatASatelliteHasShown() {
        play("""
                client logs in
                satellite applied 300
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                commit 250
                client -> Query INSERT INTO t VALUES (1)
                master shows 300
                master <- same
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void loopAsksTheMasterForASnapshotItself() {
        play(Scene.USUAL.withSnapshotQuery("SELECT snapshot"), """
                client logs in
                commit 250
                satellite applied 300
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query INSERT INTO t VALUES (1)
                master-2 opens
                master-2 <- Parse multimed_snapshot SELECT snapshot | Sync
                master-2 -> ParseComplete | ReadyForQuery I
                master shows 300
                master <- Query INSERT INTO t VALUES (1)
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                commit 350
                satellite applied 400
                client -> Query SELECT 1
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                client -> Query INSERT INTO t VALUES (2)
                master-2 <- Bind - multimed_snapshot | Execute - 0 | Sync
                master-2 -> BindComplete | DataRow '400' | CommandComplete SELECT 1 | ReadyForQuery I
                master <- Query INSERT INTO t VALUES (2)
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void readWaitsForTheCatalog() {
        play("""
                client logs in
                catalog unknown
                client -> Query SELECT 1 FROM t
                time 30ms
                catalog known
                time 30ms
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void explainGoesToTheMaster() {
        play("""
                client logs in
                client -> Query EXPLAIN SELECT 1
                master <- same
                master -> Result plan 'x' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void showGoesToTheMaster() {
        play("""
                client logs in
                client -> Query SHOW work_mem
                master <- same
                master -> Result work_mem '4MB' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void emptyQueriesAreReads() {
        play("""
                client logs in
                client -> Query
                satellite opens
                satellite <- same
                satellite -> EmptyQueryResponse | ReadyForQuery I
                client <- same
                client -> Query ;
                satellite <- same
                satellite -> EmptyQueryResponse | ReadyForQuery I
                client <- same
                client -> Query -- nothing
                satellite <- same
                satellite -> EmptyQueryResponse | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void queryThatAlsoWritesGoesToTheMasterAsAWhole() {
        play("""
                client logs in
                client -> Query SELECT 1; INSERT INTO t VALUES (1)
                master <- same
                master -> Result a '1' | CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void queriesSentAtOnceAreAnsweredInOrder() {
        play("""
                client logs in
                client -> Query SELECT 1 | Query INSERT INTO t VALUES (1) | Query SELECT 2
                satellite opens
                satellite <- Query SELECT 1
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                master <- Query INSERT INTO t VALUES (1) | Query SELECT 2
                master -> CommandComplete INSERT 0 1 | ReadyForQuery I
                client <- same
                master -> Result a '2' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void errorBehindAResultIsNotRunAgain() {
        play("""
                client logs in
                client -> Query SELECT 1; SELECT 1/0
                satellite opens
                satellite <- same
                satellite -> RowDescription a | DataRow '1' | CommandComplete SELECT 1
                    | ErrorResponse ERROR 22012 'division by zero' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void invalidSettingsOfMultimedAreRefused() {
        play("""
                client logs in
                client -> Query SET multimed.reads = 'nowhere'
                master <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SET multimed.reads = 'nowhere'
                master -> ErrorResponse ERROR 25P01 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks'
                    | ReadyForQuery I
                client <- ErrorResponse ERROR 22023 'invalid value for parameter "multimed.reads": "nowhere"' H='Available values: anywhere, declared, master.'
                    | ReadyForQuery I
                client -> Query SET multimed.route = 'x'
                master <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SET multimed.route = 'x'
                master -> ErrorResponse ERROR 25P01 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks'
                    | ReadyForQuery I
                client <- ErrorResponse ERROR 55P02 'parameter "multimed.route" cannot be changed' | ReadyForQuery I
                client -> Query SET multimed.foo = 'x'
                master <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SET multimed.foo = 'x'
                master -> ErrorResponse ERROR 25P01 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks'
                    | ReadyForQuery I
                client <- ErrorResponse ERROR 42704 'unrecognized configuration parameter "multimed.foo"' ...
                    | ReadyForQuery I
                client -> Query SET multimed.max_lag = 'x'
                master <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SET multimed.max_lag = 'x'
                master -> ErrorResponse ERROR 25P01 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks'
                    | ReadyForQuery I
                client <- ErrorResponse ERROR 22023 'invalid value for parameter "multimed.max_lag": "x"' H='Give milliseconds, or a number with ms, s or min.'
                    | ReadyForQuery I
                client -> Query SET multimed.freshness = 'x'
                master <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SET multimed.freshness = 'x'
                master -> ErrorResponse ERROR 25P01 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks'
                    | ReadyForQuery I
                client <- ErrorResponse ERROR 22023 'invalid value for parameter "multimed.freshness": "x"' H='Available values: strong, session, eventual.'
                    | ReadyForQuery I
                client -> Query SET multimed.snapshot = 'x'
                master <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SET multimed.snapshot = 'x'
                master -> ErrorResponse ERROR 25P01 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks'
                    | ReadyForQuery I
                client <- ErrorResponse ERROR 22023 'invalid value for parameter "multimed.snapshot": "x"' H='Available values: statement, transaction.'
                    | ReadyForQuery I
                client -> Query SHOW multimed.route; SELECT 1
                master <- Query ROLLBACK TO SAVEPOINT refused_by_multimed;SHOW multimed.route; SELECT 1
                master -> ErrorResponse ERROR 25P01 'ROLLBACK TO SAVEPOINT can only be used in transaction blocks'
                    | ReadyForQuery I
                client <- ErrorResponse ERROR 0A000 'cannot execute SHOW multimed.route together with other statements' H='Send it alone.'
                    | ReadyForQuery I
                """);
    }

    @Test
    void readForASatelliteThatDoesNotOpenGoesToTheMaster() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite <- Startup user=u database=d
                time 6s
                master <- same
                satellite <- closed
                master -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }
}
