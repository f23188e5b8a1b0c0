package io.multimed.endpoint.mysql.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.protocol.mysql.HandshakeResponse;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The session's reads on connections that it shares with others: statements as text, each a transaction of its own, that leave nothing on
 * the connection but the number of their rows.
 *
 * <p>A connection has the rights that its account had when it logged in and chose its database. A session only uses connections that have
 * done so after all changes of accounts before its own login and choice. Such changes count as changes of schemas.
 */
final class SharedReads {
    private final MysqlSession session;
    private @Nullable SharedGroup group;
    /** The state for which the group holds. */
    private int version = -1;

    private byte[] database = new byte[0];
    private byte @Nullable [] hash;
    private long rights;

    private @Nullable SharedExchange present;
    private @Nullable SharedConnection connection;
    /** The connection of the last read. */
    private @Nullable SharedConnection last;

    SharedReads(MysqlSession session) {
        this.session = session;
    }

    /** Begins anew after a login. */
    void login(byte @Nullable [] newHash) {
        group = null;
        last = null;
        version = -1;
        hash = newHash;
        rights = session.loop().services().schemaChanges().getAsLong();
    }

    /**
     * Begins a read.
     *
     * @param covered changes of schemas and accounts that the Satellite has certainly applied
     * @param done receives the end of the read, unless the session leaves it
     * @return false if the session needs a connection of its own
     */
    boolean begin(
            ComputationalNode node,
            SatelliteRead read,
            long covered,
            BiConsumer<SharedExchange, SharedExchange.Outcome> done) {
        ShortReads reads = session.loop().shortReads();
        if (read.shape().isEmpty() || !reads.canShare(read.shape())) {
            return false;
        }
        SharedGroup shared = group();
        if (shared == null) {
            return false;
        }
        boolean isShort = reads.areShort(read.shape());
        SharedConnection chosen = shared.choose(node, isShort, rights, covered, session.client());
        if (chosen == null) {
            return false;
        }
        send(chosen, read, isShort, done);
        return true;
    }

    /**
     * Pings the engine on the connection of the last read.
     *
     * @return false if that is gone
     */
    boolean ping(BiConsumer<SharedExchange, SharedExchange.Outcome> done) {
        SharedConnection used = last;
        if (used == null || !used.isOpen() || !used.takesMore()) {
            return false;
        }
        send(used, SatelliteRead.Text.PING, true, done);
        return true;
    }

    private void send(
            SharedConnection chosen,
            SatelliteRead read,
            boolean isShort,
            BiConsumer<SharedExchange, SharedExchange.Outcome> done) {
        SharedExchange exchange = new SharedExchange(session, chosen, read, isShort);
        present = exchange;
        connection = chosen;
        last = chosen;
        exchange.whenDone(outcome -> {
            present = null;
            connection = null;
            if (!session.isClosed()) {
                done.accept(exchange, outcome);
            }
        });
        chosen.send(exchange);
    }

    private @Nullable SharedGroup group() {
        int now = session.state().variables().version();
        HandshakeResponse response = session.response();
        boolean isOld =
                version != now || database != session.state().database() || (group != null && group.isRemoved());
        if (response != null && isOld) {
            if (database != session.state().database()) {
                // The choice of a database, of the same one too, renews the rights there.
                database = session.state().database();
                rights = session.loop().services().schemaChanges().getAsLong();
            }
            version = now;
            SharedTerms terms = SharedTerms.of(session, response, hash);
            group = terms == null ? null : session.loop().shared().group(terms);
        }
        return group;
    }

    /** Goes on reading a reply, which the client can take again. */
    void readOn() {
        if (connection != null) {
            connection.reading(true);
        }
    }

    /** Ends the read that is under way, as KILL QUERY does. */
    void kill() {
        if (connection != null && present != null) {
            connection.kill(present);
        }
    }

    /** Gives up the read that is under way. */
    void close() {
        if (connection != null && present != null) {
            connection.leave(present);
        }
        present = null;
        connection = null;
    }
}
