package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.settings.SessionVariables;

/** The state of a session that lasts no longer than its transaction: settings made by SET LOCAL, and portals. */
public final class TransactionScope {
    private final SessionVariables variables;
    private final OwnPortals portals;
    private final PortalEffects effects;

    public TransactionScope(SessionVariables variables, OwnPortals portals, PortalEffects effects) {
        this.variables = variables;
        this.portals = portals;
        this.effects = effects;
    }

    /**
     * Forgets the state, because the transaction is over.
     *
     * @param keepsConnection whether the session keeps the connection on which the transaction ran
     */
    public void ended(boolean keepsConnection) {
        variables.transactionEnded(keepsConnection);
        portals.forget();
        effects.forget();
    }
}
