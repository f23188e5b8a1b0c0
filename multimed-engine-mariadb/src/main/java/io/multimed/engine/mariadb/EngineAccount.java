package io.multimed.engine.mariadb;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The account with which Multimed itself logs in to an engine. Its password is made anew for each start of Multimed and is in memory
 * only.
 */
public record EngineAccount(String user, String password) {
    private static final int PASSWORD_BYTES = 20;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns an account with a fresh password. */
    public static EngineAccount fresh(String user) {
        byte[] password = new byte[PASSWORD_BYTES];
        RANDOM.nextBytes(password);
        return new EngineAccount(user, HexFormat.of().formatHex(password));
    }

    @Override
    public String toString() {
        return "EngineAccount[" + user + "]";
    }
}
