package io.multimed.tests.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A file system of its own, which can be filled to the last byte without effects on others. */
public final class SmallDisk implements AutoCloseable {
    private final Path directory;

    private SmallDisk(Path directory) {
        this.directory = directory;
    }

    /** Mounts a file system; if mounting is not allowed, the test is skipped. */
    public static SmallDisk mount(int megabytes) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("multimed-disk-");
        Process mount = new ProcessBuilder(
                        "mount", "-t", "tmpfs", "-o", "mode=755,size=" + megabytes + "m", "tmpfs", directory.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (mount.waitFor() != 0) {
            Files.delete(directory);
            assumeTrue(false, "no file system can be mounted here: " + said);
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new SmallDisk(directory);
    }

    public Path directory() {
        return directory;
    }

    private Path ballast() {
        return directory.resolve("ballast");
    }

    /** Takes all free room. */
    public void fill() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(1 << 20);
        try (FileChannel file = FileChannel.open(
                ballast(), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            while (true) {
                block.clear();
                file.write(block);
            }
        } catch (IOException full) {
            if (Files.getFileStore(directory).getUsableSpace() > 1 << 20) {
                throw full;
            }
        }
    }

    /** Frees the room. */
    public void free() throws IOException {
        Files.delete(ballast());
    }

    @Override
    public void close() throws IOException {
        try {
            if (new ProcessBuilder("umount", "-l", directory.toString())
                            .inheritIO()
                            .start()
                            .waitFor()
                    != 0) {
                throw new IOException("cannot unmount " + directory);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(directory);
    }
}
