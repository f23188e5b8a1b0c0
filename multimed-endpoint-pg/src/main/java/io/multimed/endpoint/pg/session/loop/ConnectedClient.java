package io.multimed.endpoint.pg.session.loop;

import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A client that has logged in.
 *
 * @param processId the number by which the client knows its server process
 * @param user its role, as it logged in
 * @param address null if it has none
 * @param since when it had logged in
 * @param loop to which its session belongs
 */
public record ConnectedClient(
        int processId,
        String user,
        String database,
        @Nullable InetSocketAddress address,
        Instant since,
        EventLoop loop,
        ClientSession session) {
    /** As PostgreSQL's log writes it; empty if there is none. */
    public String addressText() {
        return address == null ? "" : address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Has the conversation end as {@code pg_terminate_backend} does it. Any thread. */
    public void terminate() {
        loop.execute(session::terminate);
    }

    /** Has what it executes end as {@code pg_cancel_backend} does it. Any thread. */
    public void cancel() {
        loop.execute(session::cancel);
    }
}
