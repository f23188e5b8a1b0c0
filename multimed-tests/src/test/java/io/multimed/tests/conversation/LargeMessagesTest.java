package io.multimed.tests.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of any size arrive as they were sent. */
@Tag("slow")
class LargeMessagesTest {
    private static final int MB = 1 << 20;

    private final ServerAddress plain = PlainServer.get().unix();

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void rowsOfManyMegabytes(int megabytes) throws IOException {
        List<String> answer = LargeMessages.row(plain, megabytes * MB);
        assertEquals("CommandComplete SELECT 1", answer.get(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 60})
    void parametersOfManyMegabytes(int megabytes) throws IOException {
        List<String> answer = LargeMessages.parameter(plain, megabytes * MB);
        assertEquals("CommandComplete SELECT 1", answer.get(3));
    }

    @Test
    void queriesOfManyMegabytes() throws IOException {
        assertEquals("DataRow '10485760'", LargeMessages.query(plain, 10 * MB).get(1));
    }

    @Test
    void manySmallRows() throws IOException {
        assertEquals(200_003, LargeMessages.rows(plain, 200_000).size());
    }

    @Test
    void asManyParametersAsTheProtocolCanCount() throws IOException {
        assertEquals("DataRow '7'", LargeMessages.parameters(plain, 65_535).get(4));
    }

    @Test
    void asManyParametersThroughMultimed() throws IOException {
        ServerAddress multimed = RunningMultimed.shared().address();
        assertEquals(LargeMessages.parameters(plain, 65_535), LargeMessages.parameters(multimed, 65_535));
    }

    @Test
    void oneParameterMoreThanTheProtocolCanCountIsAnError() throws IOException {
        List<String> answer = LargeMessages.parameters(plain, 65_536);
        assertEquals("ReadyForQuery I", answer.getLast());
    }

    @Test
    void copiesOfManyMegabytes() throws IOException {
        assertEquals(20_000 + 13, LargeMessages.copy(plain, 20_000).size());
    }
}
