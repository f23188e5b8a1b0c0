package io.multimed.core.writeset;

/**
 * A Satellite's engine as its feed sees it: one transaction, open between the first {@link #apply} and {@link #commit}.
 * A write set that is not in it shows at once, as a whole and behind those before it. Called by one thread at a time, not
 * always the same.
 *
 * @param <W> a write set
 */
public interface WriteSetTarget<W> {
    /**
     * Changes what the write set says, or throws: then the Satellite has diverged or failed, and serves no more.
     *
     * @throws BusyException if it must be asked again later, beginning behind the last {@link #commit}
     * @throws Exception whatever the engine throws
     */
    void apply(W writeSet) throws Exception;

    /** Makes visible what was applied since the last call and is not yet, at once. */
    void commit() throws Exception;
}
