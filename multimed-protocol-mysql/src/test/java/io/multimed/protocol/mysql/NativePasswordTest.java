package io.multimed.protocol.mysql;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NativePasswordTest {
    /** SELECT PASSWORD('password'). */
    private static final String STORED = "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19";

    private final byte[] scramble = new byte[NativePassword.LENGTH];

    NativePasswordTest() {
        new Random(1).nextBytes(scramble);
    }

    @Test
    void theHashIsRecoveredFromTheReplyAndTheStoredDoubleHash() {
        byte[] stored = NativePassword.stored(STORED);
        assertNotNull(stored);
        byte[] hash = NativePassword.hash("password");
        assertArrayEquals(hash, NativePassword.recover(NativePassword.reply(hash, scramble), scramble, stored));
    }

    @Test
    void theReplyOfAnotherPasswordOrToAnotherScrambleRecoversNothing() {
        byte[] stored = NativePassword.stored(STORED);
        byte[] other = NativePassword.reply(NativePassword.hash("Password"), scramble);
        assertNull(NativePassword.recover(other, scramble, stored));
        byte[] replayed = NativePassword.reply(NativePassword.hash("password"), scramble);
        scramble[0]++;
        assertNull(NativePassword.recover(replayed, scramble, stored));
        assertNull(NativePassword.recover(new byte[0], scramble, stored));
    }

    @Test
    void anEmptyPasswordIsAnEmptyReply() {
        assertArrayEquals(new byte[0], NativePassword.reply(NativePassword.hash(""), scramble));
    }

    @Test
    void othersThanTheDoubleHashAreNotTakenForOne() {
        assertNull(NativePassword.stored("invalid"));
        assertNull(NativePassword.stored(""));
        assertNull(NativePassword.stored("*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E1X"));
    }
}
