package io.multimed.endpoint.pg.session.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientTlsTest {
    @ParameterizedTest
    @CsvSource({
        "TLS_AES_256_GCM_SHA384, TLS_AES_256_GCM_SHA384",
        "TLS_CHACHA20_POLY1305_SHA256, TLS_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, ECDHE-RSA-AES256-GCM-SHA384",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, ECDHE-ECDSA-AES128-GCM-SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, ECDHE-RSA-CHACHA20-POLY1305",
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384, ECDHE-RSA-AES256-SHA384",
        "TLS_DHE_RSA_WITH_AES_128_CBC_SHA, DHE-RSA-AES128-SHA",
        "TLS_RSA_WITH_AES_256_GCM_SHA384, AES256-GCM-SHA384",
    })
    void cipherSuitesHaveTheNamesOfOpenSsl(String standard, String openSsl) {
        assertEquals(openSsl, ClientTls.openSslName(standard));
    }
}
