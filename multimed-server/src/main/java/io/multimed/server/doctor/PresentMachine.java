package io.multimed.server.doctor;

import io.multimed.server.config.ListenAddress;
import io.multimed.server.os.AvailableMemory;
import io.multimed.server.os.KernelFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The machine that this program runs on. */
public final class PresentMachine implements ExaminedMachine {
    private final KernelFiles kernel = new KernelFiles(Path.of("/"));

    @Override
    public Optional<String> text(String path) {
        return kernel.text(path);
    }

    @Override
    public OptionalLong room(Path directory) {
        for (Path place = directory; place != null; place = place.getParent()) {
            if (Files.isDirectory(place)) {
                try {
                    return OptionalLong.of(Files.getFileStore(place).getUsableSpace());
                } catch (IOException e) {
                    return OptionalLong.empty();
                }
            }
        }
        return OptionalLong.empty();
    }

    @Override
    public long size(Path directory) {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(PresentMachine::sizeOf).sum();
        } catch (IOException | UncheckedIOException e) {
            // A running engine deletes files meanwhile, and other users' directories are closed.
            return 0;
        }
    }

    private static long sizeOf(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public Optional<String> obstacle(ListenAddress address) {
        if (address.port() == 0) {
            return Optional.empty();
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address.resolve());
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public long availableMemory() {
        return new AvailableMemory(Path.of("/")).getAsLong();
    }
}
