package io.multimed.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.server.startup.StartException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// The server object is unused because it is accessed through its socket, not by its methods.
@SuppressWarnings("try")
class ControlSocketTest {
    @TempDir
    Path directory;

    @Test
    void answersEachRequestAndIsForItsOwnerAlone() throws Exception {
        Path socket = directory.resolve("control");
        try (ControlServer server =
                ControlServer.start(socket, (request, argument) -> "you asked for " + request + argument)) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
            assertEquals("you asked for STATUS", ControlClient.ask(socket, directory, ControlRequest.STATUS));
            assertEquals("you asked for DOWN", ControlClient.ask(socket, directory, ControlRequest.DOWN));
            assertEquals(
                    "you asked for LEAN_APPLYmy index",
                    ControlClient.ask(socket, directory, ControlRequest.LEAN_APPLY, "my index"));
        }
        assertFalse(Files.exists(socket));
        assertThrows(StartException.class, () -> ControlClient.ask(socket, directory, ControlRequest.STATUS));
    }

    @Test
    void aClientThatSaysNothingKeepsNobodyWaiting() throws Exception {
        Path socket = directory.resolve("control");
        try (ControlServer server = ControlServer.start(socket, (request, argument) -> request.name());
                SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            assertEquals("STATUS", ControlClient.ask(socket, directory, ControlRequest.STATUS));
        }
    }

    @Test
    void replacesASocketThatAnEarlierInstanceLeft() throws Exception {
        Path socket = Files.writeString(directory.resolve("control"), "");
        try (ControlServer server = ControlServer.start(socket, (request, argument) -> request.name())) {
            assertEquals("DOWN", ControlClient.ask(socket, directory, ControlRequest.DOWN));
        }
    }
}
