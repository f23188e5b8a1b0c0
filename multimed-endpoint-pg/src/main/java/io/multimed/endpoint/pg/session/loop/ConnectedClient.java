package io.multimed.endpoint.pg.session.loop;

import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A client that has logged in.
 *
 * @param processId the number by which the client knows its server process
 * @param user the role as which the client logged in
 * @param address null if there is none
 * @param tls the encryption of its connection; null if there is none
 * @param since the time of the login
 * @param loop the event loop to which the session belongs
 */
public record ConnectedClient(
        int processId,
        String user,
        String database,
        @Nullable InetSocketAddress address,
        @Nullable ClientTls tls,
        Instant since,
        EventLoop loop,
        ClientSession session) {
    /** The address in the format of PostgreSQL's log; empty if there is none. */
    public String addressText() {
        return address == null ? "" : address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Ends the conversation as {@code pg_terminate_backend} does. Any thread. */
    public void terminate() {
        loop.execute(session::terminate);
    }

    /** Cancels the running statement as {@code pg_cancel_backend} does. Any thread. */
    public void cancel() {
        loop.execute(session::cancel);
    }
}
