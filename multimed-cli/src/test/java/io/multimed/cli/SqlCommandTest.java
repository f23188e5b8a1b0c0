package io.multimed.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.server.config.ListenAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlCommandTest {
    @ParameterizedTest
    @CsvSource({
        "postgresql://127.0.0.1:7432/postgres, 127.0.0.1",
        "postgresql://[::1]:7432/postgres, ::1",
        "postgresql://0.0.0.0:7432/postgres, 127.0.0.1",
        "postgresql://[::]:7432/postgres, ::1",
        "postgresql://db_master:7432/postgres, db_master",
        "postgresql://[fe80::1%eth0]:7432/postgres, fe80::1%eth0"
    })
    void findsAnInstanceWhereverItListens(String uri, String host) {
        assertEquals(new ListenAddress(host, 7432), SqlCommand.reachable(uri));
    }
}
