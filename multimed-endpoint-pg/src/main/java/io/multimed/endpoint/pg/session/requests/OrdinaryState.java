package io.multimed.endpoint.pg.session.requests;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Whether the session is in its ordinary state: outside a transaction block, without an engine connection, and without any feature in
 * use that changes where or how a read runs. Then plain reads take a short way, see {@link PlainReads}.
 *
 * <p>Every feature that keeps state between units registers a condition here, once. They are asked when a plain read comes after
 * another unit. As long as nothing but plain reads follows, the answer stands and nobody is asked again. Event loop only.
 */
public final class OrdinaryState {
    private final List<BooleanSupplier> conditions = new ArrayList<>();
    private boolean lasts;

    /** Adds a condition: whether a feature keeps no state that concerns reads. */
    public void requires(BooleanSupplier isIdle) {
        conditions.add(isIdle);
    }

    /** Whether the session is in its ordinary state, apart from a plain read at the head of the input or under way. */
    boolean holds() {
        if (!lasts) {
            lasts = isFound();
        }
        return lasts;
    }

    /** Whether the session was in its ordinary state when it was last examined, and only plain reads have come since. */
    public boolean lasts() {
        return lasts;
    }

    /** Notes that something other than a plain read happens, which may change the state. */
    public void ends() {
        lasts = false;
    }

    /** Asks all features. */
    private boolean isFound() {
        for (int i = 0; i < conditions.size(); i++) {
            if (!conditions.get(i).getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** Asks all features, to check that plain reads have changed none of them. For assertions, while no read is under way. */
    boolean isConfirmed() {
        return !lasts || isFound();
    }
}
