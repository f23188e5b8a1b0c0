package io.multimed.engine.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The few system calls for which the JDK has no method. Any thread.
 *
 * <p>Called through the JDK's foreign-function interface, so that pinning needs neither {@code taskset} nor {@code numactl},
 * which small machines and containers lack.
 */
@SuppressWarnings("restricted")
public final class Native {
    public static final int SIGINT = 2;
    public static final int SIGQUIT = 3;
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;
    public static final int SIGCONT = 18;
    public static final int SIGSTOP = 19;

    private static final int IPC_RMID = 0;
    private static final int PRIO_PROCESS = 0;
    private static final boolean AMD64 = "amd64".equals(System.getProperty("os.arch"));
    /** The kernel's numbers of calls on amd64 and arm64; for most of them the C library has no function. */
    private static final long SYS_CLOSE = AMD64 ? 3 : 57;

    private static final long SYS_OPENAT = AMD64 ? 257 : 56;
    private static final long SYS_FALLOCATE = AMD64 ? 285 : 47;
    private static final long SYS_GETPRIORITY = AMD64 ? 140 : 141;
    private static final long SYS_GETGROUPS = AMD64 ? 115 : 158;
    private static final long SYS_SETGROUPS = AMD64 ? 116 : 159;
    private static final long SYS_SETFSUID = AMD64 ? 122 : 151;
    private static final long SYS_SETFSGID = AMD64 ? 123 : 152;
    private static final long SYS_PRCTL = AMD64 ? 157 : 167;
    private static final long SYS_SET_MEMPOLICY = AMD64 ? 238 : 237;
    private static final long SYS_LANDLOCK_CREATE_RULESET = 444;
    private static final long SYS_LANDLOCK_ADD_RULE = 445;
    private static final long SYS_LANDLOCK_RESTRICT_SELF = 446;

    private static final long AT_FDCWD = -100;
    /** A user ID that no user has. With it setfsuid(2) returns the present one and changes nothing. */
    private static final long NOBODY_AT_ALL = -1;

    private static final long O_PATH_CLOEXEC = 0x280000;
    private static final long O_RDWR_CLOEXEC = 0x80002;
    private static final long FALLOC_FL_COLLAPSE_RANGE = 0x08;
    private static final long PR_SET_NO_NEW_PRIVS = 38;
    private static final long LANDLOCK_CREATE_RULESET_VERSION = 1;
    private static final long LANDLOCK_RULE_PATH_BENEATH = 1;

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
    private static final MethodHandle SETPRIORITY = handle(
            "setpriority",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle SYSCALL = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG),
            Linker.Option.firstVariadicArg(1),
            ERRNO);

    private Native() {}

    /** Sends a signal. Returns whether there was such a process, and this process may signal it. */
    public static boolean kill(long pid, int signal) {
        return call(KILL, (int) pid, signal) == 0;
    }

    /** Returns the calling thread's niceness. */
    public static int niceness() {
        // The system call's result cannot be confused with an error, unlike that of the C library's function.
        return (int) (20 - syscall(SYS_GETPRIORITY, PRIO_PROCESS, 0, 0, 0, 0));
    }

    /** Sets the niceness of a process that has one thread. Returns 0 or the error number. */
    public static int setNiceness(int processId, int niceness) {
        return call(SETPRIORITY, PRIO_PROCESS, processId, niceness);
    }

    /**
     * The identity with which a thread reads and writes files.
     *
     * @param groups the supplementary ones
     */
    public record FileIdentity(int uid, int gid, List<Integer> groups) {}

    /** Returns the calling thread's identity. */
    public static FileIdentity fileIdentity() {
        int count = (int) Math.max(0, syscall(SYS_GETGROUPS, 0, 0, 0, 0, 0));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment groups = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, count));
            syscall(SYS_GETGROUPS, count, groups.address(), 0, 0, 0);
            return new FileIdentity(
                    fileUser(),
                    fileGroup(),
                    IntStream.range(0, count)
                            .mapToObj(i -> groups.getAtIndex(ValueLayout.JAVA_INT, i))
                            .toList());
        }
    }

    /**
     * Changes the identity with which the calling thread, and no other one, reads and writes files from now on (setfsuid(2)).
     * With another user than root it has none of root's rights to files.
     *
     * @return whether the identity is now in effect
     */
    public static boolean assume(FileIdentity identity) {
        int count = identity.groups().size();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment groups = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, count));
            for (int i = 0; i < count; i++) {
                groups.setAtIndex(ValueLayout.JAVA_INT, i, identity.groups().get(i));
            }
            // The system calls apply to one thread; the C library's functions change all threads of the process.
            if (syscall(SYS_SETGROUPS, count, groups.address(), 0, 0, 0) != 0) {
                return false;
            }
        }
        syscall(SYS_SETFSGID, identity.gid(), 0, 0, 0, 0);
        syscall(SYS_SETFSUID, identity.uid(), 0, 0, 0, 0);
        return fileGroup() == identity.gid() && fileUser() == identity.uid();
    }

    private static int fileUser() {
        return (int) syscall(SYS_SETFSUID, NOBODY_AT_ALL, 0, 0, 0, 0);
    }

    private static int fileGroup() {
        return (int) syscall(SYS_SETFSGID, NOBODY_AT_ALL, 0, 0, 0, 0);
    }

    /** Marks a System V shared memory segment for removal; it vanishes with its last user. */
    public static void removeSharedMemory(int id) {
        call(SHMCTL, id, IPC_RMID, MemorySegment.NULL);
    }

    /**
     * Binds one thread to cores.
     *
     * @param thread 0 is the calling thread
     * @return 0 or the error number
     */
    public static int setAffinity(long thread, long[] mask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bits = arena.allocateFrom(ValueLayout.JAVA_LONG, mask);
            return call(SCHED_SETAFFINITY, (int) thread, bits.byteSize(), bits);
        }
    }

    /**
     * Sets the NUMA nodes from which the calling thread's memory comes.
     *
     * @return 0 or the error number
     */
    public static int setMemoryPolicy(int mode, long[] nodeMask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bits = arena.allocateFrom(ValueLayout.JAVA_LONG, nodeMask);
            // The kernel reads one bit less than the length it is given.
            long result =
                    syscall(SYS_SET_MEMPOLICY, mode, bits.address(), nodeMask.length * (long) Long.SIZE + 1, 0, 0);
            return (int) -result;
        }
    }

    /** Returns the kernel's version of Landlock (landlock(7)); negative if it has none. */
    public static long landlockVersion() {
        return syscall(SYS_LANDLOCK_CREATE_RULESET, 0, 0, LANDLOCK_CREATE_RULESET_VERSION, 0, 0);
    }

    /**
     * Begins a set of rules.
     *
     * @param handled the kinds of access that are forbidden wherever no rule allows them
     * @return a file descriptor, or the negated error number
     */
    public static long landlockCreate(long handled) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocateFrom(ValueLayout.JAVA_LONG, handled);
            return syscall(SYS_LANDLOCK_CREATE_RULESET, attributes.address(), Long.BYTES, 0, 0, 0);
        }
    }

    /**
     * Allows kinds of access to a file, or to a directory and all below.
     *
     * @return 0 or the error number
     */
    public static int landlockAllow(long rules, String path, long allowed) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path);
            long file = syscall(SYS_OPENAT, AT_FDCWD, name.address(), O_PATH_CLOEXEC, 0, 0);
            if (file < 0) {
                return (int) -file;
            }
            // struct landlock_path_beneath_attr is packed: eight bytes, then four.
            MemorySegment attributes = arena.allocate(Long.BYTES + Integer.BYTES, Long.BYTES);
            attributes.set(ValueLayout.JAVA_LONG, 0, allowed);
            attributes.set(ValueLayout.JAVA_INT, Long.BYTES, (int) file);
            long result = syscall(SYS_LANDLOCK_ADD_RULE, rules, LANDLOCK_RULE_PATH_BENEATH, attributes.address(), 0, 0);
            close(file);
            return (int) -result;
        }
    }

    /**
     * Puts the calling thread, and all processes and threads that it will start, under the rules for good.
     *
     * @return 0 or the error number
     */
    public static int landlockEnforce(long rules) {
        long result = syscall(SYS_PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (result == 0) {
            result = syscall(SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0, 0, 0);
        }
        return (int) -result;
    }

    /**
     * Removes the first bytes of a file in one step: the rest moves up, also for processes that have it open, and bytes
     * appended meanwhile stay. Not every file system supports it (ext4 and XFS do).
     *
     * @param bytes whole blocks of the file system, and fewer than the file has
     * @return 0 or the error number
     */
    public static int takeOffBeginning(String file, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(file);
            long open = syscall(SYS_OPENAT, AT_FDCWD, name.address(), O_RDWR_CLOEXEC, 0, 0);
            if (open < 0) {
                return (int) -open;
            }
            long result = syscall(SYS_FALLOCATE, open, FALLOC_FL_COLLAPSE_RANGE, 0, bytes, 0);
            close(open);
            return (int) -result;
        }
    }

    public static void close(long file) {
        syscall(SYS_CLOSE, file, 0, 0, 0, 0);
    }

    private static long syscall(long number, long a, long b, long c, long d, long e) {
        return invoke(SYSCALL, number, a, b, c, d, e);
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, ERRNO);
    }

    /** Returns 0 or the error number. */
    private static int call(MethodHandle handle, Object... arguments) {
        return (int) Math.max(0, -invoke(handle, arguments));
    }

    /** Returns the function's result, or the negated error number. */
    private static long invoke(MethodHandle handle, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = arena.allocate(CAPTURE);
            Object[] all = new Object[arguments.length + 1];
            all[0] = capture;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            long result = ((Number) handle.invokeWithArguments(all)).longValue();
            return result >= 0 ? result : -(int) ERRNO_FIELD.get(capture, 0L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
