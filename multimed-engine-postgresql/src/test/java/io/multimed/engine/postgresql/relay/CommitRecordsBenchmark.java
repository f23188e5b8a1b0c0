package io.multimed.engine.postgresql.relay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures how fast the scanner reads a real log: {@code CommitRecordsBenchmark PG_WAL_DIRECTORY}, of an engine that has been
 * stopped. Prints the best of many passes, after a check that all of them found the same commits.
 */
final class CommitRecordsBenchmark {
    private static final int SEGMENT = 16 << 20;
    private static final int PASSES = 40;
    /** Bytes that one read from the Master's socket brings under load. */
    private static final int PIECE = 16 << 10;

    private CommitRecordsBenchmark() {}

    public static void main(String[] args) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(Path.of(args[0]))) {
            files = all.filter(file -> file.getFileName().toString().matches("[0-9A-F]{24}"))
                    .sorted()
                    .toList();
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (Path file : files) {
            content.writeBytes(Files.readAllBytes(file));
        }
        ByteBuffer log = ByteBuffer.allocateDirect(content.size());
        log.put(content.toByteArray()).flip();
        String first = files.getFirst().getFileName().toString();
        long start =
                (Long.parseLong(first.substring(8, 16), 16) << 32) + Long.parseLong(first.substring(16), 16) * SEGMENT;

        long best = Long.MAX_VALUE;
        long commits = -1;
        long scanned = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            long[] found = new long[1];
            RecordScanner scanner = new RecordScanner(
                    SEGMENT,
                    8192,
                    start,
                    new CommitRecords((end, xid, changed, databaseOid) -> found[0]++, new CatalogInserts()));
            long began = System.nanoTime();
            try {
                for (int at = 0; at < log.limit(); at += PIECE) {
                    scanner.scan(log.slice(at, Math.min(PIECE, log.limit() - at)));
                }
            } catch (MalformedLogException e) {
                // Behind the end of the log lie recycled segments.
                scanned = scanner.position() - start;
            }
            best = Math.min(best, System.nanoTime() - began);
            if (commits >= 0 && commits != found[0]) {
                throw new IllegalStateException(found[0] + " commits instead of " + commits);
            }
            commits = found[0];
        }
        System.out.printf(
                "%d commits in %.1f MB: %.2f GB/s, %.0f ns a commit%n",
                commits, scanned / 1e6, (double) scanned / best, (double) best / commits);
    }
}
