package io.multimed.bench.tpcw.population;

import java.util.List;

/** The enumerations of TPC-W's columns. */
public final class Words {
    public static final List<String> SUBJECTS =
            List.of(("ARTS BIOGRAPHIES BUSINESS CHILDREN COMPUTERS COOKING HEALTH HISTORY HOME "
                            + "HUMOR LITERATURE MYSTERY NON-FICTION PARENTING POLITICS REFERENCE RELIGION ROMANCE "
                            + "SELF-HELP SCIENCE-NATURE SCIENCE-FICTION SPORTS YOUTH TRAVEL")
                    .split(" "));
    public static final List<String> CARDS = List.of("VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS");
    public static final List<String> SHIPPING = List.of("AIR", "UPS", "FEDEX", "SHIP", "COURIER", "MAIL");
    static final List<String> BACKINGS = List.of("HARDBACK", "PAPERBACK", "USED", "AUDIO", "LIMITED-EDITION");
    static final List<String> STATUS = List.of("PROCESSING", "SHIPPED", "PENDING", "DENIED");
    /** Words of titles between the words that searches look for. */
    static final List<String> TITLE = List.of(
            "the", "of", "and", "a", "in", "to", "life", "time", "world", "house", "story", "night", "river", "garden",
            "king", "letters", "history", "art", "small", "great", "last", "first", "without", "beyond", "under",
            "secret", "modern", "golden", "silent", "lost");

    private Words() {}
}
