package io.multimed.engine.postgresql.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends an engine when Multimed vanishes, {@code kill -9} included.
 *
 * <p>The shell that becomes the postmaster first leaves a watcher behind that reads a pipe from Multimed: the pipe's end
 * without a word means that Multimed is gone. The watcher is nobody's child (it was forked twice), so it disturbs
 * neither the postmaster, which minds children it does not know, nor the pid, which is the postmaster's from the start.
 * While all is well it sleeps in one read.
 */
final class Leash {
    /** Seconds from the first request to end until an engine is ended the hard way. */
    private static final int PATIENCE_SECONDS = 30;

    /**
     * Arguments: signal to ask with, seconds of patience, then the command. {@code $$} is the postmaster's pid also
     * within the watcher. Field 22 of stat, the start time, tells the postmaster from a later process of the same pid.
     * Signals reach stopped processes only after CONT, hence the loop over the children; and a stopped child of a dead
     * postmaster would stay for ever, hence the children are collected before the last resort.
     */
    private static final String SCRIPT = """
            ask=$1 patience=$2; shift 2
            exec 3<&0 </dev/null
            started() { read -r line < /proc/$$/stat && set -- ${line##*)} && [ "$1" != Z ] && echo "${20}"; }
            children() {
              for stat in /proc/[0-9]*/stat; do
                read -r pid name state parent rest < "$stat" && [ "$parent" = $$ ] && echo "$pid"
              done
            }
            await() {
              left=$1
              while [ "$(started)" = "$begin" ] && [ "$left" -gt 0 ]; do sleep 1; left=$((left - 1)); done
              [ "$(started)" != "$begin" ]
            }
            watch() {
              trap '' HUP INT TERM QUIT PIPE
              exec >/dev/null 2>&1
              cd /
              read -r released <&3 && exit 0
              [ "$(started)" = "$begin" ] || exit 0
              family="$$ $(children)"
              kill -s "$ask" $$
              kill -s CONT $family
              await "$patience" && exit 0
              kill -s QUIT $$
              await 5 && exit 0
              family="$$ $(children)"
              kill -s KILL $family
            }
            begin=$(started)
            ( watch & )
            exec "$@" 3<&-
            """;

    private final Process process;

    private Leash(Process process) {
        this.process = process;
    }

    /** The command that runs {@code command} on a leash; its standard input must be a pipe from Multimed. */
    static List<String> wrap(List<String> command, StopMode whenOrphaned) {
        List<String> wrapped = new ArrayList<>(List.of(
                "sh", "-c", SCRIPT, "multimed-leash", whenOrphaned.signalName, Integer.toString(PATIENCE_SECONDS)));
        wrapped.addAll(command);
        return wrapped;
    }

    /** @param process whose standard input is the leash; must stay referenced as long as the engine is to live */
    static Leash of(Process process) {
        return new Leash(process);
    }

    /** The engine has ended: the watcher goes home without touching anything. */
    void release() {
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write("released\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // The watcher was killed before; nobody is there to be told.
            return;
        }
    }
}
