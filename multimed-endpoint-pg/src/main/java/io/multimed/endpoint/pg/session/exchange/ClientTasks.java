package io.multimed.endpoint.pg.session.exchange;

import io.multimed.core.tasks.HeardTask;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The tasks that run later for one client, on its loop. If one fails, the client's connection is closed as after a failure to handle input:
 * the loop would tell nobody, and the client would wait for ever.
 */
public final class ClientTasks {
    private final EventLoop loop;
    private final ClientLink client;

    public ClientTasks(EventLoop loop, ClientLink client) {
        this.loop = loop;
        this.client = client;
    }

    /** Runs a task after some time. */
    public ScheduledFuture<?> in(long millis, Runnable task) {
        return loop.schedule(heard(task), millis, TimeUnit.MILLISECONDS);
    }

    /** Returns a task whose failure closes the client's connection. */
    public Runnable heard(Runnable task) {
        return new HeardTask(task, client::broken);
    }
}
