package io.multimed.bench.load;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.random.RandomGenerator;

/** Generates random texts, amounts and days. */
public final class Text {
    private static final byte[] LETTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".getBytes(StandardCharsets.US_ASCII);
    /** Number of bits of a long for one letter; values that stand for no letter are drawn again. */
    private static final int BITS = 6;

    private Text() {}

    /** Returns a whole number, both ends included. */
    public static int number(RandomGenerator random, int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    /** Returns {@code a[least..most]}: letters and digits. */
    public static String letters(RandomGenerator random, int least, int most) {
        byte[] text = new byte[number(random, least, most)];
        long bits = 0;
        int left = 0;
        for (int i = 0; i < text.length; ) {
            if (left < BITS) {
                bits = random.nextLong();
                left = Long.SIZE;
            }
            int letter = (int) bits & (1 << BITS) - 1;
            if (letter < LETTERS.length) {
                text[i++] = LETTERS[letter];
            }
            bits >>>= BITS;
            left -= BITS;
        }
        return new String(text, StandardCharsets.US_ASCII);
    }

    /** Returns {@code n[least..most]}: digits. */
    public static String digits(RandomGenerator random, int least, int most) {
        byte[] text = new byte[number(random, least, most)];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) ('0' + random.nextInt(10));
        }
        return new String(text, StandardCharsets.US_ASCII);
    }

    /** Returns hundredths as a decimal number: 1205 is 12.05. */
    public static String hundredths(long amount) {
        long fraction = amount % 100;
        return amount / 100 + (fraction < 10 ? ".0" : ".") + fraction;
    }

    public static LocalDate day(RandomGenerator random, LocalDate first, LocalDate last) {
        return first.plusDays(random.nextLong(last.toEpochDay() - first.toEpochDay() + 1));
    }

    /** Returns one of several values. */
    public static <T> T oneOf(RandomGenerator random, java.util.List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
