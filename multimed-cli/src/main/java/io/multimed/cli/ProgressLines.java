package io.multimed.cli;

import io.multimed.cli.log.LogFile;
import io.multimed.server.startup.Progress;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows the progress of a start: on a terminal it rewrites the line of a long step, elsewhere it prints a new one every few
 * seconds. Any thread.
 */
final class ProgressLines implements Progress {
    private static final Duration ON_TERMINAL = Duration.ofMillis(100);
    private static final Duration ELSEWHERE = Duration.ofSeconds(2);
    private static final double NANOS = 1e9;
    private static final double MB = 1 << 20;

    private final PrintStream err;
    private final boolean terminal;
    private String current = "";
    private long began;
    private long firstDone;
    private long shownAt;
    private boolean openLine;

    ProgressLines(PrintStream err) {
        this.err = err;
        this.terminal = isTerminal() && System.getenv("TERM") != null;
    }

    /** Whether both standard input and standard output are a terminal. */
    @SuppressWarnings("SystemConsoleNull") // It is null unless another implementation of the console is chosen.
    static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    @Override
    public synchronized void step(String what) {
        closeLine();
        current = "";
        err.println(LogFile.message(what));
    }

    @Override
    public synchronized void advanced(String what, long doneBytes, long totalBytes) {
        long now = System.nanoTime();
        boolean first = !what.equals(current) || doneBytes < firstDone;
        if (first) {
            closeLine();
            current = what;
            began = now;
            firstDone = doneBytes;
            shownAt = now - ELSEWHERE.toNanos();
        }
        boolean last = totalBytes > 0 && doneBytes >= totalBytes;
        boolean rewrites = terminal && !LogFile.isJson();
        long period = (rewrites ? ON_TERMINAL : ELSEWHERE).toNanos();
        if (totalBytes == 0 || (now - shownAt < period && !last)) {
            return;
        }
        shownAt = now;
        double seconds = (now - began) / NANOS;
        String rate =
                seconds < 0.05 ? "" : String.format(Locale.ROOT, ", %.0f MB/s", (doneBytes - firstDone) / MB / seconds);
        String line = String.format(
                Locale.ROOT,
                "%s: %d %% of %.0f MB%s",
                what,
                Math.min(100, doneBytes * 100 / totalBytes),
                totalBytes / MB,
                rate);
        if (rewrites) {
            err.print("\r" + LogFile.message(line) + "\033[K");
            err.flush();
            openLine = true;
        } else {
            err.println(LogFile.message(line));
        }
    }

    /** Ends a line that is being rewritten. */
    synchronized void end() {
        closeLine();
    }

    private void closeLine() {
        if (openLine) {
            err.println();
            openLine = false;
        }
    }
}
