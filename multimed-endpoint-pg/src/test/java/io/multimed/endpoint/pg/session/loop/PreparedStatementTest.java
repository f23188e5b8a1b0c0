package io.multimed.endpoint.pg.session.loop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PreparedStatementTest {
    @Test
    void parametersOfUserTypesAreNoticed() {
        assertFalse(PreparedStatement.hidesInput(types()));
        assertFalse(PreparedStatement.hidesInput(types(0, 23, 16_383)));
        assertTrue(PreparedStatement.hidesInput(types(23, 16_384)));
        assertTrue(PreparedStatement.hidesInput(types(2205)), "regclass");
        assertTrue(PreparedStatement.hidesInput(types(23, 4097)), "regrole[]");
        assertTrue(PreparedStatement.hidesInput(types(0xfffffff0)));
        int[] most = new int[65_535];
        assertFalse(PreparedStatement.hidesInput(types(most)));
        most[65_534] = 16_384;
        assertTrue(PreparedStatement.hidesInput(types(most)));
    }

    private static byte[] types(int... oids) {
        ByteBuffer bytes = ByteBuffer.allocate(2 + 4 * oids.length).putShort((short) oids.length);
        for (int oid : oids) {
            bytes.putInt(oid);
        }
        return bytes.array();
    }
}
