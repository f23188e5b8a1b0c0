package io.multimed.protocol.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketsTest {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "16777214, 1", "16777215, 2", "16777216, 2", "33554430, 3"})
    void aLongPayloadIsSplitAndJoined(int length, int packets) throws Exception {
        ByteBuf payload = Unpooled.buffer(length).writeZero(length);
        for (int at = 0; at < length; at += 4099) {
            payload.setByte(at, at * 31);
        }
        ByteBuf wire = Unpooled.buffer();
        assertEquals((254 + packets) & 0xff, Packets.write(wire, 254, payload.duplicate()));
        assertEquals(length + packets * Packets.HEADER, wire.readableBytes());
        assertNull(Packets.read(wire.slice(0, wire.readableBytes() - 1), NO_LIMIT));
        Packets.Packet packet = Packets.read(wire, NO_LIMIT);
        assertNotNull(packet);
        assertEquals(payload, packet.payload());
        assertEquals((253 + packets) & 0xff, packet.sequence());
        assertEquals(0, wire.readableBytes());
    }

    @Test
    void aPayloadThatIsTooLongIsRefusedBeforeItHasArrived() {
        ByteBuf wire = Unpooled.buffer().writeMediumLE(1001).writeByte(0);
        assertThrows(MysqlProtocolException.class, () -> Packets.read(wire, 1000));
    }
}
