package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** LISTEN and NOTIFY. */
class NotificationTranscriptsTest {
    @Test
    void listenersShareAConnection() {
        play("""
                client logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                other logs in
                other -> Query NOTIFY c, 'hello'
                master <- same
                master -> CommandComplete NOTIFY | ReadyForQuery I
                other <- same
                master-2 -> NotificationResponse 1001 'c' 'hello'
                client <- NotificationResponse 1073741826 'c' 'hello'
                client -> Query UNLISTEN c
                client <- CommandComplete UNLISTEN | ReadyForQuery I
                master-2 <- Query UNLISTEN "c"
                master-2 -> CommandComplete UNLISTEN | ReadyForQuery I
                master-2 <- Terminate
                master-2 <- closed
                """);
    }

    @Test
    void connectionListensUntilItsLastListenerHasGone() {
        play("""
                client logs in
                other logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                other -> Query LISTEN c
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                other <- same
                master-2 -> NotificationResponse 4711 'c' 'x'
                client <- same
                other <- same
                client -> Query UNLISTEN *
                client <- CommandComplete UNLISTEN | ReadyForQuery I
                other -> Query UNLISTEN c
                other <- CommandComplete UNLISTEN | ReadyForQuery I
                master-2 <- Query UNLISTEN "c"
                master-2 -> CommandComplete UNLISTEN | ReadyForQuery I
                master-2 <- Terminate
                master-2 <- closed
                """);
    }

    @Test
    void listenByMessages() {
        play("""
                client logs in
                client -> Parse - LISTEN c | Bind - - | Execute - 0 | Sync
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- ParseComplete | BindComplete | CommandComplete LISTEN | ReadyForQuery I
                """);
    }

    @Test
    void ownNotificationArrivesBeforeItsTransactionIsAnswered() {
        play("""
                client logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                client -> Query NOTIFY c, 'hello'
                master <- same
                master -> CommandComplete NOTIFY | ReadyForQuery I
                client <- CommandComplete NOTIFY
                master-2 <- Query
                master-2 -> NotificationResponse 1001 'c' 'hello'
                client <- NotificationResponse 1073741825 'c' 'hello'
                master-2 -> EmptyQueryResponse | ReadyForQuery I
                client <- ReadyForQuery I
                """);
    }

    @Test
    void ownNotificationArrivesBehindItsCommit() {
        play("""
                client logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query NOTIFY c
                master <- Query BEGIN | Query NOTIFY c
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete NOTIFY | ReadyForQuery T
                client <- CommandComplete NOTIFY | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- CommandComplete COMMIT
                master-2 <- Query
                master-2 -> NotificationResponse 1001 'c' '' | EmptyQueryResponse | ReadyForQuery I
                client <- NotificationResponse 1073741825 'c' '' | ReadyForQuery I
                """);
    }

    @Test
    void notificationIsHeldUntilTheBlockEnds() {
        play("""
                client logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query INSERT INTO t VALUES (1)
                master <- Query BEGIN | Query INSERT INTO t VALUES (1)
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete INSERT 0 1 | ReadyForQuery T
                client <- CommandComplete INSERT 0 1 | ReadyForQuery T
                master-2 -> NotificationResponse 4711 'c' 'x'
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- CommandComplete COMMIT | NotificationResponse 4711 'c' 'x'
                master-2 <- Query
                master-2 -> EmptyQueryResponse | ReadyForQuery I
                client <- ReadyForQuery I
                """);
    }

    @Test
    void listenWithinABlockBindsTheSessionToItsConnection() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query LISTEN c
                master <- Query BEGIN | Query LISTEN c
                master -> CommandComplete BEGIN | ReadyForQuery T | CommandComplete LISTEN | ReadyForQuery T
                client <- CommandComplete LISTEN | ReadyForQuery T
                client -> Query COMMIT
                master <- same
                master -> CommandComplete COMMIT | ReadyForQuery I
                client <- same
                master <- Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED;SELECT CASE WHEN context = ...
                master -> RowDescription name setting | DataRow '' 'LISTEN' | CommandComplete SELECT 1 | ReadyForQuery I
                master -> NotificationResponse 4711 'c' 'x'
                client <- same
                """);
    }

    @Test
    void listenerEndsWithItsConnection() {
        play("""
                client logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                master-2 closes
                client <- ErrorResponse FATAL 57P02 'terminating connection because the master went away'
                client <- closed
                time 1s
                """);
    }

    @Test
    void notificationWaitsForTheAnswerUnderWay() {
        play("""
                client logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                master-2 -> NotificationResponse 4711 'c' 'x'
                satellite -> Result a '1' | ReadyForQuery I
                client <- RowDescription a | DataRow '1' | CommandComplete SELECT 1 | ReadyForQuery I
                    | NotificationResponse 4711 'c' 'x'
                """);
    }

    @Test
    void errorOfListenIsTheClients() {
        play("""
                client logs in
                client -> Query LISTEN c
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> ErrorResponse ERROR 53200 'out of memory' | ReadyForQuery I
                client <- same
                master-2 <- Terminate
                master-2 <- closed
                """);
    }

    @Test
    void listenWaitsForTheMaster() {
        play("""
                client logs in
                master refuses
                client -> Query LISTEN c
                time 200ms
                master accepts
                time 2s
                master-2 opens
                master-2 <- Query LISTEN "c"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void severalListensInOneQuery() {
        play("""
                client logs in
                client -> Query UNLISTEN *
                client <- CommandComplete UNLISTEN | ReadyForQuery I
                client -> Query LISTEN "C"; LISTEN d
                master-2 opens
                master-2 <- Query LISTEN "C"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                master-2 <- Query LISTEN "d"
                master-2 -> CommandComplete LISTEN | ReadyForQuery I
                client <- CommandComplete LISTEN | CommandComplete LISTEN | ReadyForQuery I
                client -> Query UNLISTEN *
                client <- CommandComplete UNLISTEN | ReadyForQuery I
                master-2 <- Query UNLISTEN "C" | Query UNLISTEN "d"
                master-2 -> CommandComplete UNLISTEN | ReadyForQuery I
                master-2 -> CommandComplete UNLISTEN | ReadyForQuery I
                master-2 <- Terminate
                master-2 <- closed
                """);
    }
}
