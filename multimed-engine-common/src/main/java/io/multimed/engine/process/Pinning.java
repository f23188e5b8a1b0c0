package io.multimed.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds threads and processes to cores, and their memory to NUMA nodes (sched_setaffinity(2), set_mempolicy(2)).
 *
 * <p>Both are inherited: an engine started by a bound thread is bound with all its children. If the kernel refuses, as inside a
 * cpuset, the refusal is logged and the engine runs without; a wrong core costs speed, never an answer.
 */
public final class Pinning {
    private static final Logger log = LoggerFactory.getLogger(Pinning.class);
    /**
     * Memory policy: these nodes before others, and others before the kernel would have to end a process for lack of memory
     * (Linux 5.15).
     */
    private static final int MPOL_PREFERRED_MANY = 5;
    /** Memory policy: the first of these nodes before others. */
    private static final int MPOL_PREFERRED = 1;

    private Pinning() {}

    /** Binds the calling thread, and every thread and process it starts from now on. */
    public static boolean pinCurrentThread(CoreBinding binding) {
        boolean done = binding.cores().isEmpty() || pinThread(0, binding.cores());
        if (!binding.memoryNodes().isEmpty()) {
            long[] nodes = mask(binding.memoryNodes());
            int error = Native.setMemoryPolicy(MPOL_PREFERRED_MANY, nodes);
            if (error != 0) {
                error = Native.setMemoryPolicy(MPOL_PREFERRED, nodes);
            }
            if (error != 0) {
                log.warn("Cannot bind memory to NUMA nodes {}: error {}", binding.memoryNodes(), error);
                done = false;
            }
        }
        return done;
    }

    /**
     * Returns the cores that a thread or the first thread of a process may run on, ascending; empty when it is gone.
     *
     * @param pid a process or thread number
     */
    public static List<Integer> coresOf(long pid) {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .findFirst()
                    .map(line -> parseList(line.substring(line.indexOf(':') + 1).strip()))
                    .orElse(List.of());
        } catch (IOException | java.io.UncheckedIOException e) {
            return List.of();
        }
    }

    /**
     * Runs {@code task} on a new thread bound as requested, and waits for it.
     *
     * <p>The thread is a new one, because a binding cannot be undone reliably on one that lives on. An interrupt is kept for
     * the caller's next wait: processes started by the task must not be lost.
     *
     * @param task a short one
     */
    public static <T> T callBound(CoreBinding binding, Callable<T> task) throws ExecutionException {
        FutureTask<T> future = new FutureTask<>(() -> {
            pinCurrentThread(binding);
            return task.call();
        });
        Thread.ofPlatform().name("multimed-launch").daemon().start(future);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
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

    private static boolean pinThread(long thread, List<Integer> cores) {
        int error = Native.setAffinity(thread, mask(cores));
        if (error != 0) {
            log.warn("Cannot pin thread {} to cores {}: error {}", thread, cores, error);
        }
        return error == 0;
    }

    private static long[] mask(List<Integer> bits) {
        // The mask is as wide as the kernel's largest one: older kernels refuse a narrower one.
        long[] mask = new long[Math.max(16, Collections.max(bits) / Long.SIZE + 1)];
        for (int bit : bits) {
            mask[bit / Long.SIZE] |= 1L << bit;
        }
        return mask;
    }

    private static List<Integer> parseList(String ranges) {
        List<Integer> numbers = new ArrayList<>();
        for (String range : ranges.split(",")) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            for (int number = first; number <= last; number++) {
                numbers.add(number);
            }
        }
        return numbers;
    }
}
