package io.multimed.server.doctor;

import io.multimed.server.config.ListenAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** The machine, as an examination sees it. */
public interface ExaminedMachine {
    /** Returns the text of a file of the kernel, without surrounding blanks; nothing if it cannot be read. */
    Optional<String> text(String path);

    /** Returns the number of bytes that fit into a directory, or into the one above that exists; nothing if nobody knows. */
    OptionalLong room(Path directory);

    /** Returns the number of bytes in all files of a directory; 0 if there are none. */
    long size(Path directory);

    /** Returns the reason why nobody can listen on an address; nothing if it is free. */
    Optional<String> obstacle(ListenAddress address);

    /** Returns the number of bytes of memory that may still be used. */
    long availableMemory();
}
