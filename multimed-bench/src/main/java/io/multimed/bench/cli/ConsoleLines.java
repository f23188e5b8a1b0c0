package io.multimed.bench.cli;

import io.multimed.bench.Console;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Shows the progress of a benchmark: on a terminal it rewrites the line of the present work, elsewhere it prints a new one
 * every ten seconds. Only results go to standard output. Any thread.
 */
final class ConsoleLines implements Console {
    private static final Duration ELSEWHERE = Duration.ofSeconds(10);

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal = isTerminal() && System.getenv("TERM") != null;
    private long shownAt = System.nanoTime() - ELSEWHERE.toNanos();
    private boolean openLine;

    ConsoleLines(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @SuppressWarnings("SystemConsoleNull") // It is null unless another implementation of the console is chosen.
    private static boolean isTerminal() {
        java.io.Console console = System.console();
        return console != null && console.isTerminal();
    }

    @Override
    public synchronized void say(String line) {
        clear();
        err.println("multimed: " + line);
    }

    @Override
    public synchronized void progress(String line) {
        if (terminal) {
            err.print("\r" + "multimed: " + line + "\033[K");
            err.flush();
            openLine = true;
        } else if (System.nanoTime() - shownAt >= ELSEWHERE.toNanos()) {
            shownAt = System.nanoTime();
            err.println("multimed: " + line);
        }
    }

    @Override
    public synchronized void result(String text) {
        clear();
        out.print(text);
        out.flush();
    }

    private void clear() {
        if (openLine) {
            err.print("\r\033[K");
            openLine = false;
        }
    }
}
