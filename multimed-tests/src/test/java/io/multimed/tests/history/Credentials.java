package io.multimed.tests.history;

import org.jspecify.annotations.Nullable;

/**
 * The login of a workload's sessions.
 *
 * @param password for SCRAM-SHA-256; null where none is asked for
 * @param tls whether those of pgjdbc use TLS; raw messages never do
 */
record Credentials(String user, @Nullable String password, boolean tls) {
    static final Credentials TRUSTED = new Credentials("postgres", null, false);
}
