package io.multimed.core.writeset;

/**
 * A Satellite's engine as its feed sees it: one transaction, open between the first {@link #apply} and {@link #commit}. If the
 * engine applies a write set outside this transaction, the write set becomes visible at once, as a whole and after those before it.
 * Called by one thread at a time, not always the same one.
 *
 * @param <W> a write set
 */
public interface WriteSetTarget<W> {
    /**
     * Applies the write set. If this throws, the Satellite has diverged or failed, and serves no more.
     *
     * @throws BusyException if the caller must try again later, beginning after the last {@link #commit}
     * @throws Exception any exception of the engine
     */
    void apply(W writeSet) throws Exception;

    /** Makes visible, atomically, everything that was applied since the last call and is not visible yet. */
    void commit() throws Exception;
}
