package io.multimed.core.tasks;

import java.util.function.Consumer;

/**
 * A task for an executor that would keep the task's failure in a future at which nobody looks, and would not repeat the task again:
 * somebody is told of whatever it throws, errors included, and the executor sees none of it.
 */
public final class HeardTask implements Runnable {
    private final Runnable task;
    private final Consumer<Throwable> failed;

    /** @param failed called with what the task throws, on the task's thread */
    public HeardTask(Runnable task, Consumer<Throwable> failed) {
        this.task = task;
        this.failed = failed;
    }

    @Override
    public void run() {
        try {
            task.run();
        } catch (Throwable e) {
            failed.accept(e);
        }
    }
}
