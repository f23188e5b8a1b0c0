package io.multimed.endpoint.pg.session.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String CONTEXT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String OTHER = "00-00000000000000000000000000000001-0000000000000001-01";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 /*traceparent='" + CONTEXT + "'*/",
                "SELECT 1 /*db_driver='jdbc',traceparent='" + CONTEXT + "',tracestate='a%3Db'*/ ; ",
                "/*traceparent='" + CONTEXT + "'*/ SELECT 1",
                "SELECT '/*traceparent=''" + OTHER + "''*/' /*traceparent='" + CONTEXT + "'*/",
                "/* by hand */ SELECT 1 /*traceparent='" + CONTEXT + "'*/",
                "SELECT 1 /*traceparent='x', traceparent='" + CONTEXT + "'*/",
            })
    void isThatOfACommentAtTheBeginningOrEnd(String sql) {
        assertEquals(CONTEXT, TraceContext.of(sql));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "SELECT 1",
                "SELECT 'traceparent=''" + OTHER + "'''",
                "SELECT '/*traceparent=''" + OTHER + "''*/'",
                "SELECT '/*traceparent=''" + OTHER + "''*/' AS a",
                "SELECT 1 /*traceparent='" + OTHER + "'",
                "SELECT 1 /*traceparent='" + OTHER + "-more'*/",
                "SELECT 1 /*traceparent='ff-00000000000000000000000000000001-0000000000000001-01'*/",
                "SELECT 1 /*traceparent=''*/",
                "/*traceparent='" + OTHER,
            })
    void isNotTakenFromAValueOrAMalformedComment(String sql) {
        assertNull(TraceContext.of(sql));
    }

    @Test
    void ofALaterVersionMayHaveMoreMembers() {
        String later = "01" + CONTEXT.substring(2) + "-more";
        assertEquals(later, TraceContext.of("SELECT 1 /*traceparent='" + later + "'*/"));
    }
}
