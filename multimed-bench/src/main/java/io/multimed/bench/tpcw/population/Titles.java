package io.multimed.bench.tpcw.population;

import io.multimed.bench.load.Text;
import java.util.random.RandomGenerator;

/** Titles of books: words, among them one syllabic key that searches look for; 46 characters on average, 60 at most. */
final class Titles {
    /** Number of titles that begin with their key, among a hundred. */
    private static final int OPENED_BY_KEY = 23;

    private static final int LEAST = 32;
    private static final int MOST = 60;

    private Titles() {}

    static String of(int key, RandomGenerator random) {
        int length = Text.number(random, LEAST, MOST);
        String syllables = DigSyl.of(key, 7);
        boolean keyed = random.nextInt(100) < OPENED_BY_KEY;
        StringBuilder title = new StringBuilder(keyed ? syllables : Text.oneOf(random, Words.TITLE));
        while (true) {
            // The key is inserted while there is still room for it, on average in the middle.
            boolean last = title.length() + syllables.length() + 12 > length;
            String word = !keyed && (last || random.nextInt(3) == 0) ? syllables : Text.oneOf(random, Words.TITLE);
            keyed |= word.equals(syllables);
            if (title.length() + 1 + word.length() > length) {
                return title.toString();
            }
            title.append(' ').append(word);
        }
    }
}
