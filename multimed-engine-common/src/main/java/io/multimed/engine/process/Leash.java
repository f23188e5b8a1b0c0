package io.multimed.engine.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends an engine when Multimed vanishes, {@code kill -9} included.
 *
 * <p>The shell that becomes the engine first leaves a watcher behind, which reads a pipe from Multimed. If the pipe ends
 * without a word, Multimed is gone. The watcher is forked twice, so it is not a child of the engine, which minds children
 * it does not know. And the shell's process ID is the engine's from the start. While all is well the watcher sleeps in one
 * read.
 */
public final class Leash {
    /** Seconds from the first request to end until an engine is killed. */
    private static final int PATIENCE_SECONDS = 30;

    /** Distinguishes the engine from a later process of the same number, by its start time, field 22 of stat. */
    private static final String STARTED = """
            started() { read -r line < /proc/$pid/stat && set -- ${line##*)} && [ "$1" != Z ] && echo "${20}"; }
            """;

    /**
     * Leaves the watcher behind, then becomes the engine. The watcher has a shell of its own, because people and programs
     * look for engines by their command lines. Arguments: the watcher's script, signal, seconds, name, and the command.
     */
    private static final String START = """
            watcher=$1 ask=$2 patience=$3 name=$4 pid=$$; shift 4
            """ + STARTED + """
                    begin=$(started)
                    exec 3<&0 </dev/null
                    ( sh -c "$watcher" multimed-leash "$pid" "$begin" "$ask" "$patience" "$name" <&3 3<&- >/dev/null 2>&1 & )
                    exec "$@" 3<&-
                    """;

    /**
     * The watcher's script. Stopped processes receive signals only after CONT, so it continues the children. A stopped child of
     * a dead engine would stay for ever, so it collects the children before the last resort.
     */
    private static final String WATCHER = """
            pid=$1 begin=$2 ask=$3 patience=$4
            """ + STARTED + """
                    children() {
                      for stat in /proc/[0-9]*/stat; do
                        read -r child name state parent rest < "$stat" && [ "$parent" = "$pid" ] && echo "$child"
                      done
                    }
                    await() {
                      left=$1
                      while [ "$(started)" = "$begin" ] && [ "$left" -gt 0 ]; do sleep 1; left=$((left - 1)); done
                      [ "$(started)" != "$begin" ]
                    }
                    trap '' HUP INT TERM QUIT PIPE
                    cd /
                    read -r released && exit 0
                    [ "$(started)" = "$begin" ] || exit 0
                    family="$pid $(children)"
                    kill -s "$ask" "$pid"
                    kill -s CONT $family
                    await "$patience" && exit 0
                    kill -s QUIT "$pid"
                    await 5 && exit 0
                    family="$pid $(children)"
                    kill -s KILL $family
                    """;

    private final Process process;

    private Leash(Process process) {
        this.process = process;
    }

    /**
     * Returns the command that runs {@code command} on a leash; its standard input must be a pipe from Multimed.
     *
     * @param signal that asks the engine to end when Multimed is gone, by its name without SIG
     * @param name of the engine, for readers of a process list
     */
    public static List<String> wrap(List<String> command, String signal, String name) {
        List<String> wrapped = new ArrayList<>(List.of(
                "sh", "-c", START, "multimed-start", WATCHER, signal, Integer.toString(PATIENCE_SECONDS), name));
        wrapped.addAll(command);
        return wrapped;
    }

    /** @param process whose standard input is the leash; must stay referenced as long as the engine is to live */
    public static Leash of(Process process) {
        return new Leash(process);
    }

    /** Ends the watcher without any other effect, after the engine has ended. */
    public void release() {
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write("released\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // The watcher was killed before, so it needs no word.
            return;
        }
    }
}
