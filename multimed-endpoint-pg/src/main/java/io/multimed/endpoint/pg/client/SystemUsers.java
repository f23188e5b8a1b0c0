package io.multimed.endpoint.pg.client;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The names of the operating system's users. A directory service may have to be asked for a name, so calls may block.
 *
 * <p>The JDK tells the name of a file's owner, but not that of any user.
 */
final class SystemUsers {
    /** Bytes for {@code struct passwd}, whose first member points to the name, and for what its members point to. */
    private static final long STRUCT_BYTES = 256;

    private static final long TEXT_BYTES = 64 * 1024;
    private static final long MOST_NAME_BYTES = 4096;

    private SystemUsers() {}

    private static final class Calls {
        @SuppressWarnings("restricted") // The signature is that of the C library.
        static final MethodHandle GETPWUID_R = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("getpwuid_r"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS));
    }

    /** @return null if no user has this number */
    @SuppressWarnings("restricted") // The library has written the name behind this address.
    static @Nullable String name(int uid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(STRUCT_BYTES, Long.BYTES);
            MemorySegment text = arena.allocate(TEXT_BYTES);
            MemorySegment found = arena.allocate(ValueLayout.ADDRESS);
            int error = (int) Calls.GETPWUID_R.invokeExact(uid, entry, text, TEXT_BYTES, found);
            if (error != 0 || found.get(ValueLayout.ADDRESS, 0).address() == 0) {
                return null;
            }
            return entry.get(ValueLayout.ADDRESS, 0)
                    .reinterpret(MOST_NAME_BYTES)
                    .getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException("getpwuid_r", e);
        }
    }
}
