package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.settings.SessionVariables;

/**
 * The parts of a session that find a connection for its next unit and track the state of the present connection.
 *
 * @param unit what is known of the next unit
 * @param sequences the state of sequences in the engine session
 * @param plans makes the engine create its plans anew
 * @param pinning decides whether the session keeps its backend
 * @param replay the running unit, while it may have to run elsewhere
 */
public record RoutingParts(
        Unit unit,
        SequenceState sequences,
        FreshPlans plans,
        BackendCheckout checkout,
        Routing routing,
        Pinning pinning,
        Replay replay) {
    public static RoutingParts of(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            PreparedParts prepared,
            SessionVariables variables) {
        Unit unit = new Unit(new Admission(session.loop().admissionSources(), variables.freshness()));
        SequenceState sequences = new SequenceState(session.loop());
        Coalescing coalescing = new Coalescing(session, variables, unit, prepared.clients());
        FreshPlans plans = new FreshPlans(
                session.loop().services(),
                session.key().database(),
                parts.exchange(),
                parts.instructions(),
                parts.engine(),
                blocks.block(),
                variables.names());
        BackendCheckout checkout = new BackendCheckout(session, parts, blocks, variables, unit, coalescing, plans);
        Routing routing = new Routing(
                session,
                parts,
                blocks,
                variables,
                unit,
                new AwaitingFreshness(session, parts, blocks.block(), unit.admission()),
                new AwaitingVisibility(session, parts.waiting(), unit.admission()),
                checkout);
        EndpointServices.Schemas schemas = session.loop().services().schemas();
        String database = session.key().database();
        Pinning pinning = new Pinning(
                session.key(),
                parts.exchange(),
                variables,
                parts.instructions(),
                prepared.names(),
                () -> schemas.catalog(database).parametersSet());
        Replay replay = new Replay(session, parts.exchange(), blocks, routing, pinning);
        return new RoutingParts(unit, sequences, plans, checkout, routing, pinning, replay);
    }
}
