package io.multimed.endpoint.pg.client;

/** TLS as in PostgreSQL's protocol. */
public final class TlsNegotiation {
    /** The ALPN name of the protocol (PostgreSQL manual, 54.2.11), which a context for TLS has to know. */
    public static final String PROTOCOL = "postgresql";

    private TlsNegotiation() {}
}
