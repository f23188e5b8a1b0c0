package io.multimed.engine.postgresql.copy;

import io.multimed.core.spi.CopyProgress;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import io.multimed.engine.process.Pinning;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Copies the files of a plan with two threads, within the kernel where it can. */
final class FileCopier {
    /**
     * Number of threads that copy. More would take the disk and the cores from the Master; with a single one, nothing is copied
     * while it waits for the disk.
     */
    private static final int THREADS = 2;
    /** Bytes between two checks of progress and interrupts. */
    private static final long CHUNK = 16L << 20;

    private static final long REPORT_NANOS = 50_000_000;

    private static final Set<OpenOption> NEW_FILE = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    private static final FileAttribute<?> OWNERS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final CopyPlan plan;
    private final EngineUser user;
    private final CopyProgress progress;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong copied = new AtomicLong();
    private final ReentrantLock reporting = new ReentrantLock();
    private long reported = System.nanoTime();
    private long reportedBytes;

    FileCopier(CopyPlan plan, EngineUser user, CopyProgress progress) {
        this.plan = plan;
        this.user = user;
        this.progress = progress;
    }

    /** Returns when all is copied; an interrupt ends both threads first. */
    void run(CoreBinding binding) throws IOException, InterruptedException {
        try (ExecutorService pool = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().name("multimed-copy-", 1).daemon().factory())) {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                workers.add(pool.submit(() -> {
                    Pinning.pinCurrentThread(binding);
                    work();
                    return null;
                }));
            }
            try {
                for (Future<?> worker : workers) {
                    worker.get();
                }
                progress.copied(copied.get(), plan.bytes());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException cause) {
                    throw cause;
                }
                throw new IOException(e.getCause());
            } finally {
                pool.shutdownNow();
            }
        }
    }

    private void work() throws IOException {
        List<CopyPlan.Item> files = plan.files();
        for (int i = next.getAndIncrement(); i < files.size(); i = next.getAndIncrement()) {
            copy(files.get(i));
        }
    }

    /** Reports progress from one thread at a time, and not for each of ten thousand small files. */
    private void report(long bytes) {
        if (reporting.tryLock()) {
            try {
                long now = System.nanoTime();
                if (now - reported > REPORT_NANOS && bytes > reportedBytes) {
                    reported = now;
                    reportedBytes = bytes;
                    progress.copied(bytes, plan.bytes());
                }
            } finally {
                reporting.unlock();
            }
        }
    }

    private void copy(CopyPlan.Item item) throws IOException {
        Path source = item.source();
        Path target = item.target();
        try (FileChannel in = user.files(() -> FileChannel.open(source, StandardOpenOption.READ));
                FileChannel out = user.files(() -> FileChannel.open(target, NEW_FILE, OWNERS_ALONE))) {
            long done = 0;
            while (done < item.size()) {
                long count = in.transferTo(done, Math.min(CHUNK, item.size() - done), out);
                if (count <= 0) {
                    // The file was truncated meanwhile; the log contains that, too.
                    break;
                }
                done += count;
                report(copied.addAndGet(count));
            }
        } catch (NoSuchFileException e) {
            if (Files.exists(source)) {
                throw e;
            }
            // The file was dropped meanwhile; the log contains that, too.
        }
    }
}
