package io.multimed.engine.process;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells the crash of one started engine from a failed start and from a requested end. Thread-safe. */
public final class CrashWatch {
    private final Consumer<String> onCrash;
    private Supplier<String> reason = () -> "no message";
    private boolean ready;
    private boolean ended;
    private boolean expected;

    /** @param onCrash called at most once, from any thread, with the reason */
    public CrashWatch(Consumer<String> onCrash) {
        this.onCrash = onCrash;
    }

    /** Records how the reason of an end is found. */
    public synchronized void started(Supplier<String> found) {
        reason = found;
    }

    /** Records that the start has succeeded: from now on an end is a crash. */
    public void ready() {
        boolean crashed;
        synchronized (this) {
            ready = true;
            crashed = ended && !expected;
        }
        if (crashed) {
            tell();
        }
    }

    /** Records that an end is requested: it is no crash. */
    public synchronized void expectEnd() {
        expected = true;
    }

    /** Records that the engine has ended. */
    public void ended() {
        boolean crashed;
        synchronized (this) {
            ended = true;
            crashed = ready && !expected;
        }
        if (crashed) {
            tell();
        }
    }

    private void tell() {
        Supplier<String> found;
        synchronized (this) {
            found = reason;
        }
        onCrash.accept(found.get());
    }
}
