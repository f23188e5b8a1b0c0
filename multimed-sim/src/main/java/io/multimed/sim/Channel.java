package io.multimed.sim;

/** One direction of a connection: messages arrive late, but in order, until it is closed. */
final class Channel {
    private final Scheduler scheduler;
    private long lastArrival;
    private boolean closed;

    Channel(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void send(String what, long delay, Runnable arrival) {
        lastArrival = Math.max(scheduler.now() + delay, lastArrival + 1);
        scheduler.at(lastArrival, what, () -> {
            if (!closed) {
                arrival.run();
            }
        });
    }

    /** Closes the channel; all messages under way are lost. */
    void close() {
        closed = true;
    }
}
