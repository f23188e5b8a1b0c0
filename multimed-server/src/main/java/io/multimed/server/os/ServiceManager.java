package io.multimed.server.os;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd what this process is doing, as sd_notify(3) describes. Does nothing outside a service of {@code Type=notify}. Any
 * thread.
 */
@SuppressWarnings("restricted")
public final class ServiceManager {
    private static final Logger log = LoggerFactory.getLogger(ServiceManager.class);

    private final Optional<String> socket;

    private ServiceManager(Optional<String> socket) {
        this.socket = socket;
    }

    /** Returns the manager that has named its socket in the environment. */
    public static ServiceManager of(Map<String, String> environment) {
        return new ServiceManager(Optional.ofNullable(environment.get("NOTIFY_SOCKET"))
                .filter(address -> address.startsWith("/") || address.startsWith("@")));
    }

    /** Reports that clients are served; {@code systemctl start} returns then. */
    public void ready(String status) {
        send("READY=1\nSTATUS=" + status);
    }

    /** Reports in words what {@code systemctl status} shows. */
    public void status(String status) {
        send("STATUS=" + status);
    }

    /** Reports that the service is ending. */
    public void ending() {
        send("STOPPING=1\nSTATUS=ending");
    }

    private void send(String message) {
        if (socket.isPresent() && !Datagram.send(socket.get(), message)) {
            log.warn("systemd cannot be told: {}", message);
        }
    }

    /** Datagrams between processes of one machine, for which the JDK has no channel. */
    private static final class Datagram {
        private static final short AF_UNIX = 1;
        private static final int SOCK_DGRAM_CLOEXEC = 0x80002;
        private static final int MSG_NOSIGNAL = 0x4000;
        private static final int FAMILY_BYTES = 2;
        private static final int MOST_PATH_BYTES = 107;

        private static final Linker LINKER = Linker.nativeLinker();
        private static final MethodHandle SOCKET = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("socket"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        private static final MethodHandle SENDTO = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("sendto"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_INT));
        private static final MethodHandle CLOSE = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("close"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        private Datagram() {}

        static boolean send(String address, String message) {
            byte[] path = address.getBytes(StandardCharsets.UTF_8);
            if (path.length > MOST_PATH_BYTES) {
                return false;
            }
            if (path[0] == '@') {
                // A name in the abstract name space begins with a NUL.
                path[0] = 0;
            }
            byte[] text = message.getBytes(StandardCharsets.UTF_8);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment name = arena.allocate(FAMILY_BYTES + MOST_PATH_BYTES + 1L);
                name.set(ValueLayout.JAVA_SHORT, 0, AF_UNIX);
                MemorySegment.copy(path, 0, name, ValueLayout.JAVA_BYTE, FAMILY_BYTES, path.length);
                MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, text);
                int descriptor = (int) SOCKET.invokeExact((int) AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
                if (descriptor < 0) {
                    return false;
                }
                long sent = (long) SENDTO.invokeExact(
                        descriptor, data, (long) text.length, MSG_NOSIGNAL, name, FAMILY_BYTES + path.length);
                int closed = (int) CLOSE.invokeExact(descriptor);
                return sent == text.length && closed == 0;
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
