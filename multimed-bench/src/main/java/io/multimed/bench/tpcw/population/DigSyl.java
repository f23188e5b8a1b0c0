package io.multimed.bench.tpcw.population;

/** TPC-W's names for numbers: each digit a syllable. */
public final class DigSyl {
    private static final String[] SYLLABLES = {"BA", "OG", "AL", "RI", "RE", "SE", "AT", "UL", "IN", "NG"};

    private DigSyl() {}

    /**
     * Returns the name of {@code number}.
     *
     * @param digits to which it is padded on the left with zeros; 0 for no padding
     */
    public static String of(int number, int digits) {
        String decimal = Integer.toString(number);
        StringBuilder name = new StringBuilder(2 * Math.max(digits, decimal.length()));
        for (int missing = digits - decimal.length(); missing > 0; missing--) {
            name.append(SYLLABLES[0]);
        }
        for (int i = 0; i < decimal.length(); i++) {
            name.append(SYLLABLES[decimal.charAt(i) - '0']);
        }
        return name.toString();
    }
}
