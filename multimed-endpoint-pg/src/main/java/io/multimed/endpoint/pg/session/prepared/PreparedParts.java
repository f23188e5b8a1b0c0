package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The parts of a session that deal with prepared statements and the messages about them.
 *
 * @param clients the statements that the client has prepared by messages
 * @param names the names of prepared statements in SQL
 * @param sender sends extended query messages
 * @param told checks results against the descriptions that clients have received
 */
public record PreparedParts(ClientStatements clients, SqlNames names, ExtendedSender sender, ResultShapeCheck told) {
    /**
     * Creates the parts.
     *
     * @param inBlock whether a transaction block is open once the messages sent have been executed
     * @param route returns the node and the reason of the latest placement
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
