package io.multimed.tests.server;

import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.wire.WireSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The one plain PostgreSQL of a test run, of Multimed's embedded version; started on first use. */
public final class PlainServer {
    /** Name of a role that must log in with its password, {@value}. */
    public static final String SCRAM_USER = "scram_user";

    public static final String SCRAM_PASSWORD = "correct horse";

    /** A statement that makes the role, for any server. */
    public static final String CREATE_SCRAM_USER =
            "CREATE ROLE " + SCRAM_USER + " LOGIN PASSWORD '" + SCRAM_PASSWORD + "'";

    /** A timeout so short that a test can wait for it. */
    public static final Duration AUTHENTICATION_TIMEOUT = Duration.ofSeconds(6);

    private static final class Holder {
        static final PlainPostgres SERVER = start();
    }

    private PlainServer() {}

    public static PlainPostgres get() {
        return Holder.SERVER;
    }

    private static PlainPostgres start() {
        try {
            PlainPostgres server = PlainPostgres.start(
                    TestBinaries.get().directory(),
                    Map.of(
                            "max_prepared_transactions", "10",
                            "wal_level", "logical",
                            "authentication_timeout", AUTHENTICATION_TIMEOUT.toSeconds() + "s"),
                    List.of("host all " + SCRAM_USER + ",nobody_at_all all scram-sha-256"));
            try (WireSession owner = WireSession.open(server.unix(), "postgres", "postgres", Duration.ofSeconds(30))) {
                owner.rows(CREATE_SCRAM_USER);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    server.close();
                } catch (Exception e) {
                    System.err.println("cannot remove the plain PostgreSQL: " + e);
                }
            }));
            return server;
        } catch (Exception e) {
            throw new IllegalStateException("no plain PostgreSQL to compare with", e);
        }
    }
}
