package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpeningTest {
    private static final PoolKey KEY = new PoolKey(
            "me",
            "shop",
            Map.of("default_transaction_read_only", "off", "options", "-c default_transaction_read_only=off"));

    private static String written(boolean readOnly) {
        ByteBuf out = Unpooled.buffer();
        Opening.write(out, KEY, readOnly);
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void readersAreReadOnlyWhateverTheClientHasAskedFor() {
        String startup = written(true);
        assertTrue(startup.contains("default_transaction_read_only\0on\0"), startup);
        assertFalse(startup.contains("default_transaction_read_only\0off\0"), startup);
        assertEquals(
                startup.indexOf("default_transaction_read_only\0"),
                startup.lastIndexOf("default_transaction_read_only\0"),
                "sent once");
    }

    @Test
    void othersAreWhatTheClientHasAskedFor() {
        assertTrue(written(false).contains("default_transaction_read_only\0off\0"));
    }
}
