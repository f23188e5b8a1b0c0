package io.multimed.endpoint.pg;

import io.multimed.core.tasks.HeardTask;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Event loops that log the failures of what they run later, as they do for what they run at once. */
final class HeardEventLoops extends MultiThreadIoEventLoopGroup {
    private static final Logger LOG = LoggerFactory.getLogger(HeardEventLoops.class);

    HeardEventLoops(int loops, ThreadFactory threads, IoHandlerFactory sockets) {
        super(loops, threads, sockets);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory sockets, Object... others) {
        return new Heard(this, executor, sockets);
    }

    private static final class Heard extends SingleThreadIoEventLoop {
        Heard(IoEventLoopGroup group, Executor executor, IoHandlerFactory sockets) {
            super(group, executor, sockets);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            return super.schedule(
                    new HeardTask(task, failure -> LOG.error("What an event loop does later has failed", failure)),
                    delay,
                    unit);
        }
    }
}
