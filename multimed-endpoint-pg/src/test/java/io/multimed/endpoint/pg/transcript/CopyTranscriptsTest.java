package io.multimed.endpoint.pg.transcript;

import static io.multimed.endpoint.pg.transcript.WireTranscript.play;

import org.junit.jupiter.api.Test;

/** COPY in both directions. */
class CopyTranscriptsTest {
    @Test
    void dataIsPassedOnAsItComes() {
        play("""
                client logs in
                client -> Query COPY t FROM STDIN
                master <- same
                master -> CopyInResponse 0 0
                client <- same
                client -> CopyData '1\\n'
                master <- same
                client -> CopyData '2\\n' | CopyDone
                master <- same
                master -> CommandComplete COPY 2 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void dataSentAheadWaitsForTheEngine() {
        play("""
                client logs in
                client -> Query COPY t FROM STDIN | CopyData '1\\n' | CopyDone
                master <- Query COPY t FROM STDIN
                master -> CopyInResponse 0 0
                client <- same
                master <- CopyData '1\\n' | CopyDone
                master -> CommandComplete COPY 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void clientMayFailItsCopy() {
        play("""
                client logs in
                client -> Query COPY t FROM STDIN
                master <- same
                master -> CopyInResponse 0 0
                client <- same
                client -> CopyData '1\\n' | CopyFail no more
                master <- same
                master -> ErrorResponse ERROR 57014 'COPY from stdin failed: no more' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void dataBehindAnErrorIsDropped() {
        play("""
                client logs in
                client -> Query COPY t FROM STDIN
                master <- same
                master -> CopyInResponse 0 0
                client <- same
                client -> CopyData 'x\\n'
                master <- same
                master -> ErrorResponse ERROR 22P02 'invalid input syntax' | ReadyForQuery I
                client <- same
                client -> CopyData 'y\\n' | CopyDone
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void copyByMessages() {
        play("""
                client logs in
                client -> Parse - COPY t FROM STDIN | Bind - - | Execute - 0 | Sync
                master <- same
                master -> ParseComplete | BindComplete | CopyInResponse 0 0
                client <- same
                client -> CopyData '1\\n' | CopyDone | Sync
                master <- same
                master -> CommandComplete COPY 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void queryAmidACopyFailsIt() {
        play("""
                client logs in
                client -> Query BEGIN
                client <- CommandComplete BEGIN | ReadyForQuery T
                client -> Query COPY t FROM STDIN
                master <- Query BEGIN | Query COPY t FROM STDIN
                master -> CommandComplete BEGIN | ReadyForQuery T | CopyInResponse 0 0
                client <- CopyInResponse 0 0
                client -> CopyData '1\\n'
                master <- same
                client -> Query SELECT 1
                master <- same
                master -> ErrorResponse ERROR 57014 'COPY from stdin failed' | ReadyForQuery E
                client <- same
                """);
    }

    /** PostgreSQL ends the session if any but a message of COPY arrives amid a COPY that began by messages. */
    @Test
    void clientThatWasSentAFatalErrorIsClosedEvenIfNothingIsOutstanding() {
        play("""
                client logs in
                client -> Parse - COPY t FROM STDIN | Bind - - | Execute - 0 | Sync
                master <- same
                master -> ParseComplete | BindComplete | CopyInResponse 0 0
                client <- same
                client -> CopyData '1\\n' | Query BEGIN
                master <- same
                master -> ErrorResponse ERROR 08P01 'unexpected message type 0x51 during COPY from stdin'
                    | ErrorResponse FATAL 08P01 'terminating connection because protocol synchronization was lost'
                client <- same
                master closes
                client <- closed
                """);
    }

    @Test
    void dataOutsideACopyIsDropped() {
        play("""
                client logs in
                client -> CopyData '1\\n' | CopyDone | CopyFail x
                client -> Query SELECT 1
                satellite opens
                satellite <- same
                satellite -> Result a '1' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void copyOutOfATableIsARead() {
        play("""
                client logs in
                client -> Query COPY t TO STDOUT
                satellite opens
                satellite <- same
                satellite -> CopyOutResponse 0 0 | CopyData '1\\n' | CopyData '2\\n' | CopyDone | CommandComplete COPY 2
                    | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void copyToAFileGoesToTheMaster() {
        play("""
                client logs in
                client -> Query COPY t TO '/tmp/x'
                master <- same
                master -> CommandComplete COPY 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void connectionIsClosedWhenTheClientGoesAmidACopy() {
        play("""
                client logs in
                client -> Query COPY t FROM STDIN
                master <- same
                master -> CopyInResponse 0 0
                client <- same
                client -> CopyData '1\\n'
                master <- same
                client closes
                master <- Terminate
                master <- closed
                """);
    }

    @Test
    void copyOutIsCancelled() {
        play("""
                client logs in
                client -> Query COPY t TO STDOUT
                satellite opens
                satellite <- same
                satellite -> CopyOutResponse 0 0 | CopyData '1\\n'
                client <- same
                client cancels
                satellite-2 <- CancelRequest satellite
                satellite-2 closes
                satellite -> ErrorResponse ERROR 57014 'canceling statement due to user request' | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void clientThatStopsAmidDataIsClosed() {
        play("""
                client logs in
                client -> Query COPY t FROM STDIN
                master <- same
                master -> CopyInResponse 0 0
                client <- same
                client begins CopyData '1\\n'
                master <- part of a message...
                time 119s
                time 2s
                client <- ErrorResponse FATAL 08P01 'the rest of a message does not come'
                client <- closed
                master <- Terminate
                master <- closed
                """);
    }

    @Test
    void dataWaitsForAnEngineThatTakesNothing() {
        play("""
                client logs in
                client -> Query COPY t FROM STDIN
                master <- same
                master -> CopyInResponse 0 0
                client <- same
                master stops reading
                client -> CopyData '1\\n' | CopyDone
                master reads
                master <- same
                master -> CommandComplete COPY 1 | ReadyForQuery I
                client <- same
                """);
    }

    @Test
    void copyOutEndsWithItsSatellite() {
        play("""
                client logs in
                client -> Query COPY t TO STDOUT
                satellite opens
                satellite <- same
                satellite -> CopyOutResponse 0 0 | CopyData '1\\n'
                client <- same
                satellite closes
                client <- ErrorResponse ERROR 40001 'the Satellite that executed this transaction has failed' H='Try the transaction again.'
                    | ReadyForQuery I
                """);
    }
}
