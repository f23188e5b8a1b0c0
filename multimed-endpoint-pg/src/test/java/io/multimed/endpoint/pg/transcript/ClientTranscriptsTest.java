package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** Clients that arrive, go, or do not keep to the protocol. */
class ClientTranscriptsTest {
    @Test
    void connectionIsClosedWhenTheClientGoesWhileItsReadRuns() {
        play("""
                client logs in
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                client closes
                satellite <- Terminate
                satellite <- closed
                """);
    }

    @Test
    void connectionIsClosedWhenTheClientGoesWhileItsWriteRuns() {
        play("""
                client logs in
                client -> Query UPDATE t SET x = 1
                master <- same
                client closes
                master <- Terminate
                master <- closed
                """);
    }

    @Test
    void connectionIsClosedWhenTheClientGoesInABlock() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                client closes
                master <- Terminate
                master <- closed
                """);
    }

    @Test
    void clientIsAnsweredBeforeItsEnd() {
        play("""
                client logs in
                client -> Query SELECT 1 | Terminate
                satellite opens
                satellite <- Query SELECT 1
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                client <- closed
                """);
    }

    @Test
    void passwordOutsideOfALoginIsRefused() {
        play("""
                client logs in
                client -> Raw p x'00'
                client <- ErrorResponse FATAL 08P01 'invalid frontend message type 112'
                client <- closed
                client closes
                """);
    }

    @Test
    void unknownMessageEndsTheConnection() {
        play("""
                client logs in
                client -> Raw y x'00'
                client <- ErrorResponse FATAL 08P01 'invalid frontend message type 121'
                client <- closed
                """);
    }

    @Test
    void answerWaitsForAClientThatDoesNotRead() {
        play("""
                client logs in
                client stops reading
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client reads
                client <- same
                """);
    }

    @Test
    void clientKnowsItsProcessByANumberOfMultimeds() {
        play("""
                client logs in
                client -> Query SELECT pg_backend_pid()
                master <- Query SET multimed.self = '1073741825'
                    | Query SELECT /*multimed:pg_backend_pid()*/(SELECT COALESCE(NULLIF(pg_catalog.cur...
                master -> CommandComplete SET | ReadyForQuery I | Result pg_backend_pid '1' | ReadyForQuery I
                client <- RowDescription pg_backend_pid | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void activityShowsClients() {
        play("""
                client logs in
                other logs in
                client -> Query SELECT pid, state FROM pg_stat_activity
                master <- Query SET multimed.self = '1073741825';SET multimed.backends = E'{"clients":[{"p...
                    | Query SELECT pid, state FROM /*multimed:pg_stat_activity*/(SELECT r.* FROM pg_ca...
                master -> CommandComplete SET | CommandComplete SET | ReadyForQuery I | Result pid '1' | ReadyForQuery I
                client <- RowDescription pid | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                """);
    }

    @Test
    void refusalOfTheEngineIsTheClients() {
        play("""
                client connects
                client -> Startup user=u database=none
                master <- same
                master -> ErrorResponse FATAL 3D000 'database "none" does not exist'
                master closes
                client <- same
                client <- closed
                """);
    }

    @Test
    void loginWaitsForTheMaster() {
        play("""
                client connects
                master refuses
                client -> Startup user=u database=d
                time 200ms
                master accepts
                time 60ms
                master opens
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT name, setting FROM p...
                master -> CommandComplete SET | RowDescription name setting | CommandComplete SELECT 0 | ReadyForQuery I
                client <- AuthenticationOk | ParameterStatus server_version=18.0 | ParameterStatus server_encoding=UTF8
                    | ParameterStatus client_encoding=UTF8 | ParameterStatus standard_conforming_strings=on
                    | ParameterStatus in_hot_standby=off | BackendKeyData 1073741825... | ReadyForQuery I
                """);
    }

    @Test
    void loginThatIsAbandonedLeavesItsConnection() {
        play("""
                client connects
                client -> Startup user=u database=d
                master opens
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT name, setting FROM p...
                client closes
                master -> CommandComplete SET | RowDescription name setting | CommandComplete SELECT 0 | ReadyForQuery I
                """);
    }

    @Test
    void laterLoginsOfAKindAskNoEngine() {
        play("""
                client logs in
                other logs in
                third logs in application_name=x
                """);
    }

    @Test
    void clientIsToldWhatTheEngineReports() {
        play("""
                client connects
                client -> Startup user=u database=d application_name=psql work_mem=4MB
                master opens
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT name, setting FROM p...
                master -> CommandComplete SET | RowDescription name setting | DataRow 'statement_timeout' '1000'
                    | CommandComplete SELECT 1 | ReadyForQuery I
                client <- AuthenticationOk | ParameterStatus server_version=18.0 | ParameterStatus server_encoding=UTF8
                    | ParameterStatus client_encoding=UTF8 | ParameterStatus standard_conforming_strings=on
                    | ParameterStatus in_hot_standby=off | ParameterStatus application_name=psql
                    | BackendKeyData 1073741825... | ReadyForQuery I
                """);
    }

    @Test
    void clientEndsAnotherBySql() {
        play("""
                client logs in
                other logs in
                client -> Query SELECT pg_terminate_backend(1073741826)
                master <- Query SET multimed.self = '1073741825';SET multimed.backends = E'{"clients":[{"p...
                    | Query SELECT /*multimed:pg_terminate_backend(*/(SELECT CASE WHEN c.pid IS NULL T...
                master -> CommandComplete SET | CommandComplete SET | ReadyForQuery I
                    | NoticeResponse WARNING 01000 'PID -1073741826 is not a PostgreSQL backend process' R='pg_signal_backend'
                    | Result pg_terminate_backend 't' | ReadyForQuery I
                client <- RowDescription pg_terminate_backend | DataRow 't' | CommandComplete SELECT 1 | ReadyForQuery I
                other <- ErrorResponse FATAL 57P01 'terminating connection due to administrator command'
                other <- closed
                """);
    }

    @Test
    void clientCancelsAnotherBySql() {
        play("""
                client logs in
                other logs in
                other -> Query SELECT 1
                satellite opens
                satellite <- same
                client -> Query SELECT pg_cancel_backend(1073741826)
                master <- Query SET multimed.self = '1073741825';SET multimed.backends = E'{"clients":[{"p...
                    | Query SELECT /*multimed:pg_cancel_backend(*/(SELECT CASE WHEN c.pid IS NULL THEN...
                master -> CommandComplete SET | CommandComplete SET | ReadyForQuery I
                    | NoticeResponse WARNING 01000 'PID -2 is not a PostgreSQL backend process' R='pg_signal_backend'
                    | Result pg_cancel_backend 't' | ReadyForQuery I
                client <- RowDescription pg_cancel_backend | DataRow 't' | CommandComplete SELECT 1 | ReadyForQuery I
                satellite-2 <- CancelRequest satellite
                satellite-2 closes
                satellite -> ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery I
                other <- same
                """);
    }

    @Test
    void messageThatIsNotWholeReachesNoEngine() {
        play("""
                client logs in
                client begins Query SELECT 1
                client closes
                """);
    }

    @Test
    void segmentThatIsNotWholeReachesNoEngine() {
        play("""
                client logs in
                client -> Parse - SELECT 1 | Bind - -
                client begins Execute - 0
                client closes
                """);
    }

    @Test
    void messageThatStopsHoldsNobodyUp() {
        play("""
                client logs in
                client begins Query SELECT 1
                time 300s
                client closes
                """);
    }

    @Test
    void longAnswerWaitsUntilTheClientReads() {
        play("""
                client logs in
                client stops reading
                client -> Query SELECT x FROM t
                satellite opens
                satellite <- same
                satellite -> RowDescription a | LongRow 100000
                satellite -> LongRow 100000 | CommandComplete SELECT 2 | ReadyForQuery I
                client reads
                client <- RowDescription a
                    | DataRow 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
                    | DataRow 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
                    | CommandComplete SELECT 2 | ReadyForQuery I
                """);
    }

    @Test
    void clientThatReadsNothingForLongIsClosed() {
        play("""
                client logs in
                client stops reading
                client -> Query SELECT x FROM t
                satellite opens
                satellite <- same
                satellite -> RowDescription a | LongRow 100000
                time 119s
                time 2s
                client <- closed
                satellite <- Terminate
                satellite <- closed
                """);
    }

    @Test
    void longRowIsPassedOn() {
        play("""
                client logs in
                client -> Query SELECT x FROM t
                satellite opens
                satellite <- same
                satellite -> RowDescription a | LongRow 200000 | CommandComplete SELECT 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void clientMayEndAtOnce() {
        play("""
                client logs in
                client -> Terminate
                client <- closed
                """);
    }
}
