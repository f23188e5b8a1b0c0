package io.multimed.bench.tpcw.workload;

import io.multimed.bench.tpcw.population.NuRand;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The state of one emulated browser during its session: the customer, and the last page shown.
 *
 * <p>Changed only once the transaction that it follows from is committed, so that a repeated transaction begins from the same
 * state.
 */
final class Visit {
    /** Number of sessions whose customers are known from the start, among a hundred. */
    private static final int KNOWN = 80;

    private static final double MEAN_SECONDS = 15 * 60;
    private static final double LONGEST_SECONDS = 60 * 60;
    private static final double NANOS = 1e9;

    private final long endsAt;
    private int customer;
    private boolean cart;
    private Interaction previous = Interaction.HOME;
    private List<Integer> shown = List.of();
    private int item;
    private List<Integer> cartItems = List.of();

    /** @param now nanoseconds of the clock by which sessions end */
    Visit(TpcwScale scale, RandomGenerator random, long now) {
        double seconds = Math.min(LONGEST_SECONDS, -MEAN_SECONDS * Math.log(1 - random.nextDouble()));
        this.endsAt = now + (long) (seconds * NANOS);
        this.customer = random.nextInt(100) < KNOWN ? someCustomer(scale, random) : 0;
    }

    static int someCustomer(TpcwScale scale, RandomGenerator random) {
        return NuRand.draw(random, NuRand.forCustomers(scale.customers()), scale.customers());
    }

    /** Whether the next visit to the home page is another browser's. */
    boolean over(long now) {
        return now - endsAt > 0;
    }

    /** Returns the customer; 0 while unknown. */
    int customer() {
        return customer;
    }

    boolean known() {
        return customer != 0;
    }

    void identified(int id) {
        customer = id;
    }

    /** Whether this session has used its cart. */
    boolean hasCart() {
        return cart;
    }

    /**
     * @param items of the cart now, ascending
     */
    void cartShown(List<Integer> items) {
        cart = true;
        cartItems = List.copyOf(items);
    }

    List<Integer> cartItems() {
        return cartItems;
    }

    /** Returns the interaction before the present one. */
    Interaction previous() {
        return previous;
    }

    void done(Interaction interaction) {
        previous = interaction;
    }

    /** Sets the items to choose from; an empty list, as of a search without result, keeps the previous one. */
    void listShown(List<Integer> items) {
        if (!items.isEmpty()) {
            shown = List.copyOf(items);
        }
    }

    List<Integer> shown() {
        return shown;
    }

    void itemShown(int id) {
        item = id;
    }

    /** Returns the item whose page was shown last; 0 for none. */
    int item() {
        return item;
    }
}
