package io.multimed.engine.embedded.spi;

/** Waits that an interrupt does not end, like those of the engines. The thread's interrupt status is restored afterwards. */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** A wait. */
    @FunctionalInterface
    public interface Wait {
        boolean run() throws InterruptedException;
    }

    /** Waits. Starts the wait again, with its full time, each time the thread is interrupted. */
    public static boolean call(Wait wait) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.run();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
