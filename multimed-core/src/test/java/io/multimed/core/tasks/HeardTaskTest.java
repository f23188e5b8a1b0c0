package io.multimed.core.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeardTaskTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whateverItThrowsIsHeardAndTheNextRunComes(boolean isError) throws Exception {
        List<Throwable> heard = new CopyOnWriteArrayList<>();
        CountDownLatch threeTimes = new CountDownLatch(3);
        Runnable task = new HeardTask(() -> fail(isError), e -> {
            heard.add(e);
            threeTimes.countDown();
        });
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
        try {
            ScheduledFuture<?> repeated = executor.scheduleAtFixedRate(task, 0, 1, TimeUnit.MILLISECONDS);
            assertTrue(threeTimes.await(10, TimeUnit.SECONDS));
            assertFalse(repeated.isDone());
            assertEquals(
                    isError ? StackOverflowError.class : IllegalStateException.class,
                    heard.get(0).getClass());
        } finally {
            executor.shutdownNow();
        }
    }

    private static void fail(boolean isError) {
        if (isError) {
            throw new StackOverflowError("fails on purpose");
        }
        throw new IllegalStateException("fails on purpose");
    }
}
