package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OneReadTest {
    private static final byte[] PARSE = FrontendBytes.parse("", "SELECT 1");
    private static final byte[] BIND = FrontendBytes.bind("", "", "value");
    private static final byte[] EXECUTE = FrontendBytes.execute("", 0);
    private static final byte[] SYNC = FrontendBytes.sync();

    private final KnownStatements known = new KnownStatements();

    private @Nullable OneRead of(byte[]... messages) throws Exception {
        return OneRead.of(known.scan(messages));
    }

    @Test
    void preparesItsStatement() throws Exception {
        OneRead read = of(PARSE, BIND, FrontendBytes.describe('P', ""), EXECUTE, SYNC);
        assertNotNull(read);
        assertTrue(read.describes());
        assertNull(read.used());
        assertNotNull(read.parse());
    }

    @Test
    void bindsAStatementPreparedEarlier() throws Exception {
        OneRead read = of(FrontendBytes.bind("", "known"), EXECUTE, SYNC);
        assertNotNull(read);
        assertFalse(read.describes());
        assertNull(read.parse());
        assertEquals(known.named("known"), read.used());
    }

    @Test
    void isNoOtherSegment() throws Exception {
        assertNull(of(PARSE, BIND, EXECUTE));
        assertNull(of(PARSE, BIND, EXECUTE, FrontendBytes.flush()));
        assertNull(of(PARSE, BIND, FrontendBytes.execute("", 1), SYNC));
        assertNull(of(PARSE, FrontendBytes.bind("p", ""), FrontendBytes.execute("p", 0), SYNC));
        assertNull(of(PARSE, FrontendBytes.bind("", "known"), EXECUTE, SYNC));
        assertNull(of(FrontendBytes.parse("s", "SELECT 1"), FrontendBytes.bind("", "s"), EXECUTE, SYNC));
        assertNull(of(BIND, EXECUTE, SYNC));
        assertNull(of(PARSE, BIND, FrontendBytes.describe('S', ""), EXECUTE, SYNC));
        assertNull(of(PARSE, BIND, EXECUTE, FrontendBytes.describe('P', ""), SYNC));
        assertNull(of(PARSE, BIND, SYNC));
        assertNull(of(SYNC));
    }

    @Test
    void readsOnly() throws Exception {
        assertNull(of(FrontendBytes.parse("", "INSERT"), BIND, EXECUTE, SYNC));
        assertNull(of(FrontendBytes.bind("", "begin"), EXECUTE, SYNC));
        assertNull(of(FrontendBytes.bind("", "unknown"), EXECUTE, SYNC));
    }

    @Test
    void isClassified() throws Exception {
        assertNull(of(FrontendBytes.parse("", "?"), BIND, EXECUTE, SYNC));
    }
}
