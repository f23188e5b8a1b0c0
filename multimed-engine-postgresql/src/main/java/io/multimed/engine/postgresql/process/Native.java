package io.multimed.engine.postgresql.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The few system calls that the JDK has no method for. Any thread.
 *
 * <p>Called through the JDK's foreign-function interface, so that pinning needs neither {@code taskset} nor
 * {@code numactl}, which small machines and containers lack.
 */
@SuppressWarnings("restricted")
final class Native {
    static final int SIGINT = 2;
    static final int SIGQUIT = 3;
    static final int SIGKILL = 9;
    static final int SIGTERM = 15;
    static final int SIGCONT = 18;
    static final int SIGSTOP = 19;

    private static final int IPC_RMID = 0;
    /** The kernel's number of the call, which has no function in the C library; amd64 and arm64. */
    private static final long SYS_SET_MEMPOLICY = "amd64".equals(System.getProperty("os.arch")) ? 238 : 237;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_FIELD = CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle KILL =
            handle("kill", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle SHMCTL = handle(
            "shmctl",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    private static final MethodHandle SCHED_SETAFFINITY = handle(
            "sched_setaffinity",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    private static final MethodHandle SYSCALL = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_LONG),
            Linker.Option.firstVariadicArg(1),
            ERRNO);

    private Native() {}

    /** Sends a signal. Returns whether there was a process to send it to that we may signal. */
    static boolean kill(long pid, int signal) {
        return call(KILL, (int) pid, signal) == 0;
    }

    /** Marks a System V shared memory segment for removal; it goes with its last user. */
    static void removeSharedMemory(int id) {
        call(SHMCTL, id, IPC_RMID, MemorySegment.NULL);
    }

    /**
     * Binds one thread to cores.
     *
     * @param thread 0 is the calling thread
     * @return 0 or the error number
     */
    static int setAffinity(long thread, long[] mask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bits = arena.allocateFrom(ValueLayout.JAVA_LONG, mask);
            return call(SCHED_SETAFFINITY, (int) thread, bits.byteSize(), bits);
        }
    }

    /**
     * Sets where the calling thread's memory comes from.
     *
     * @return 0 or the error number
     */
    static int setMemoryPolicy(int mode, long[] nodeMask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bits = arena.allocateFrom(ValueLayout.JAVA_LONG, nodeMask);
            // The kernel reads one bit less than it is told.
            return call(SYSCALL, SYS_SET_MEMPOLICY, (long) mode, bits, nodeMask.length * (long) Long.SIZE + 1);
        }
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, ERRNO);
    }

    private static int call(MethodHandle handle, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = arena.allocate(CAPTURE);
            Object[] all = new Object[arguments.length + 1];
            all[0] = capture;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            Number result = (Number) handle.invokeWithArguments(all);
            return result.longValue() == 0 ? 0 : (int) ERRNO_FIELD.get(capture, 0L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
