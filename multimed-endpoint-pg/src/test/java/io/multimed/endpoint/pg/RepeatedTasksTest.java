package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Periodic tasks of an event loop. */
class RepeatedTasksTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void goOnAfterOneHasFailed(boolean isError) throws InterruptedException {
        EventLoop loop = new DefaultEventLoop();
        try {
            CountDownLatch threeTimes = new CountDownLatch(3);
            PostgresEndpoint.every(Duration.ofMillis(1), loop, () -> {
                threeTimes.countDown();
                if (isError) {
                    throw new AssertionError("fails on purpose");
                }
                throw new IllegalStateException("fails on purpose");
            });
            assertTrue(threeTimes.await(10, TimeUnit.SECONDS));
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }
}
