package io.multimed.engine.process;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads and changes how the kernel schedules other processes. Any thread; nothing blocks. */
@SuppressWarnings("restricted")
public final class ProcessScheduling {
    /**
     * Niceness of a lowered process, which gets a third of the share of one with the usual niceness (sched(7)). With 10, a
     * tenth, short reads were no shorter, and in mixes with many updates, which fill the cores, long reads took twice as long.
     */
    private static final int NICER = 5;

    private static final int NICEST = 19;
    /** Bits in the number of another process's clock (clock_getcpuclockid(3)) that select the time it was scheduled. */
    private static final int CPUCLOCK_SCHED = 2;

    private static final long NANOS = 1_000_000_000;

    private static final Linker LINKER = Linker.nativeLinker();
    /**
     * The handle for clock_gettime. The call takes well below a microsecond and comes from event loops, so it avoids the
     * transition to native code that could be a safepoint.
     */
    private static final MethodHandle CLOCK_GETTIME = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("clock_gettime"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS),
            Linker.Option.critical(true));

    private ProcessScheduling() {}

    /** Returns the processor time that the process has used, in nanoseconds; -1 if there is no such process. */
    public static long processorNanos(int processId) {
        long[] time = new long[2];
        try {
            int result = (int) CLOCK_GETTIME.invokeExact(~processId << 3 | CPUCLOCK_SCHED, MemorySegment.ofArray(time));
            return result == 0 ? time[0] * NANOS + time[1] : -1;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the process has a processor or waits for one; false if there is no such process. */
    public static boolean isRunnable(int processId) {
        try {
            // proc_pid_stat(5): the state comes behind the name, which may contain anything.
            String stat = Files.readString(Path.of("/proc/" + processId + "/stat"));
            return stat.startsWith(") R", stat.lastIndexOf(')'));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Lowers the process's priority, for good: only the superuser could raise it again.
     *
     * @return false if the caller should try again later
     */
    public static boolean yieldToOthers(int processId) {
        Native.setNiceness(processId, Math.min(NICEST, Native.niceness() + NICER));
        // Sessions may be scheduled as groups (sched(7), autogroup), and each engine process has a session. Then
        // niceness has no effect outside it, so the group's is set. An ordinary user may set that of a group ten times
        // a second, for the whole machine.
        Path group = Path.of("/proc/" + processId + "/autogroup");
        try (WritableByteChannel channel = Files.newByteChannel(group, StandardOpenOption.WRITE)) {
            // Beyond that the kernel takes no bytes (EAGAIN). Files.writeString would throw an unchecked exception
            // then.
            return channel.write(ByteBuffer.wrap(Integer.toString(NICER).getBytes(StandardCharsets.US_ASCII))) > 0;
        } catch (NoSuchFileException | AccessDeniedException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
