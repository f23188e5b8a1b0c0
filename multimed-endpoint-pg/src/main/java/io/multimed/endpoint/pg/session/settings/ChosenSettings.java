package io.multimed.endpoint.pg.session.settings;

import io.multimed.core.session.SessionFreshness;
import io.multimed.model.Freshness;
import java.util.Map;

/** The settings of Multimed itself that a session has chosen. They decide where its reads run, and what they show. */
public final class ChosenSettings {
    private final Freshness freshnessAtStart;
    private final SessionFreshness freshness;
    private final boolean snapshotPerTransactionAtStart;
    private boolean snapshotPerTransaction;
    private final MultimedSettings.Reads readsAtStart;
    private MultimedSettings.Reads reads;
    /** Whether SET LOCAL has changed one of them until the end of the transaction. */
    private boolean choseLocally;

    /**
     * Creates the settings of a session that begins.
     *
     * @param startup its start-up parameters
     * @param otherwise the freshness that applies unless the client chooses another
     */
    public ChosenSettings(Map<String, String> startup, Freshness otherwise) {
        Map<String, String> atStart = MultimedSettings.atStart(startup);
        freshnessAtStart = MultimedSettings.freshness(atStart, otherwise);
        freshness = new SessionFreshness(freshnessAtStart);
        snapshotPerTransactionAtStart = MultimedSettings.snapshotPerTransaction(atStart, false);
        snapshotPerTransaction = snapshotPerTransactionAtStart;
        readsAtStart = MultimedSettings.reads(atStart, MultimedSettings.Reads.ANYWHERE);
        reads = readsAtStart;
    }

    /** The freshness that its reads require. */
    public SessionFreshness freshness() {
        return freshness;
    }

    /** Whether a read-only transaction sees one snapshot even under READ COMMITTED. */
    public boolean snapshotPerTransaction() {
        return snapshotPerTransaction;
    }

    /** Whether its reads must not run on Satellites. A block that has begun on a Satellite ends there. */
    public boolean readsOnMaster() {
        return reads == MultimedSettings.Reads.MASTER;
    }

    /**
     * Whether reads of a block that is not declared READ ONLY may run on Satellites until it writes. They must be as fresh as on the
     * Master, since the block may write what follows from them.
     */
    public boolean readsUndeclaredAnywhere() {
        return reads == MultimedSettings.Reads.ANYWHERE && freshness.chosen() instanceof Freshness.Strong;
    }

    /** Whether its reads run, and show, what those of a session do that has chosen nothing but a freshness. */
    public boolean areOrdinary() {
        return !snapshotPerTransaction && !readsOnMaster() && !choseLocally;
    }

    /** Applies the choices among all settings of the session. */
    void are(Map<String, String> settings) {
        freshness.choose(MultimedSettings.freshness(settings, freshnessAtStart));
        snapshotPerTransaction = MultimedSettings.snapshotPerTransaction(settings, snapshotPerTransactionAtStart);
        reads = MultimedSettings.reads(settings, readsAtStart);
    }

    /**
     * Applies a choice at once that is being sent.
     *
     * @param settings all settings of the session, with the choice among them
     * @param locally whether it ends with the transaction
     */
    void choose(Map<String, String> settings, boolean locally) {
        are(settings);
        choseLocally |= locally;
    }

    /**
     * Ends the choices that were made for the transaction alone.
     *
     * @param settings the settings of the session behind it
     */
    void transactionEnded(Map<String, String> settings) {
        if (choseLocally) {
            choseLocally = false;
            are(settings);
        }
    }
}
