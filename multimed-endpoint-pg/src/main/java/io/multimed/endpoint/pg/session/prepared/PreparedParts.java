package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The parts of a session that deal with prepared statements and the messages about them.
 *
 * @param clients what the client has prepared by messages
 * @param names what SQL names
 * @param sender of extended query messages
 * @param told what clients were told of results
 */
public record PreparedParts(ClientStatements clients, SqlNames names, ExtendedSender sender, ResultShapeCheck told) {
    /**
     * Makes them.
     *
     * @param inBlock whether a transaction block is open once what was sent is executed
     * @param route tells where the latest transaction was placed, and why
     */
    public static PreparedParts of(
            SessionContext session,
            ExchangeParts parts,
            SessionVariables variables,
            BooleanSupplier inBlock,
            Supplier<String> route) {
        ClientStatements clients = new ClientStatements(session.loop(), parts.exchange(), variables, session.key());
        SqlNames names = new SqlNames(parts.exchange(), clients);
        return new PreparedParts(
                clients,
                names,
                new ExtendedSender(session, parts, clients, names, variables.names(), inBlock, route),
                new ResultShapeCheck(session.loop(), clients, parts.exchange(), parts.engine()));
    }
}
