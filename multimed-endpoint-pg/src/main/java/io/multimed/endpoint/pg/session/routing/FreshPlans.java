package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.propagation.Floor;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.KeptPlans;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.settings.NameResolution;
import io.multimed.model.Role;
import java.util.List;

/**
 * Makes the engine create its plans anew where names in them may have come to denote other objects and PostgreSQL does not notice
 * that itself. This concerns the plans of prepared statements and of statements in functions and triggers. Other clients may have
 * caused these plans to be made, so the object that a client sees would otherwise depend on the engine session that serves it.
 */
public final class FreshPlans {
    private static final String REMAKE = "DISCARD PLANS";
    private static final String BETWEEN_TRANSACTIONS = BackendSettings.READ_COMMITTED + REMAKE;

    private final EndpointServices services;
    private final String database;
    private final Exchange exchange;
    private final Instructions instructions;
    private final AwaitingEngine engine;
    private final TransactionBlock block;
    private final NameResolution names;

    public FreshPlans(
            EndpointServices services,
            String database,
            Exchange exchange,
            Instructions instructions,
            AwaitingEngine engine,
            TransactionBlock block,
            NameResolution names) {
        this.services = services;
        this.database = database;
        this.exchange = exchange;
        this.instructions = instructions;
        this.engine = engine;
        this.block = block;
        this.names = names;
    }

    /** Whether all that the engine session has planned was planned under the present version of the schema. */
    boolean areFresh(BackendConnection connection) {
        return connection.plans().areOf(services.schemas().version(database));
    }

    /** The session has been given a connection, and nothing has been sent of its transaction: within that it would count as a query. */
    void bound(BackendConnection connection) {
        KeptPlans plans = connection.plans();
        long version = services.schemas().version(database);
        if (!plans.areOf(version)) {
            remake(connection, plans, version);
        }
    }

    /**
     * Discards outdated plans before a unit that has been placed.
     *
     * @param keptConnection whether the session has held its connection since before its transaction
     * @return false when replies have to be awaited first
     */
    public boolean prepare(boolean keptConnection) {
        BackendConnection connection = exchange.backend();
        if (connection == null) {
            return true;
        }
        KeptPlans plans = connection.plans();
        boolean inBlock = block.isOpen();
        boolean outdated = names.mayPlansBeOutdated(plans.mayMissTemporaries())
                || (!inBlock
                        && keptConnection
                        && !plans.areOf(services.schemas().version(database)));
        if (!outdated
                || (inBlock && !block.hasSnapshot())
                || exchange.status() == 'E'
                || exchange.isUnsynced()
                || exchange.isIgnored()) {
            return true;
        }
        if (!exchange.onlyInternal()) {
            return engine.awaitReplies();
        }
        if (inBlock) {
            // A Query would do away with the client's unnamed statement, which only this engine session may have.
            instructions.sendAmid(List.of(REMAKE));
            instructions.synchronise();
            madeNow(connection, plans, services.schemas().version(database));
        } else {
            remake(connection, plans, services.schemas().version(database));
        }
        return true;
    }

    private void remake(BackendConnection connection, KeptPlans plans, long version) {
        if (plans.any()) {
            instructions.send(BETWEEN_TRANSACTIONS, Note.INTERNAL);
        }
        madeNow(connection, plans, version);
    }

    private void madeNow(BackendConnection connection, KeptPlans plans, long version) {
        names.plansAreRemade();
        boolean shown = services.schemas().isVersionVisible(database);
        if (connection.node().role() == Role.MASTER) {
            plans.areMadeOnMaster(version, shown);
        } else {
            plans.areMade(
                    version,
                    shown ? services.log().floor() : Floor.UNKNOWN,
                    connection.node().applied());
        }
    }
}
