package io.multimed.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Ctrl-C, or SIGINT from elsewhere, as a request to the program instead of the end of the JVM. */
final class InterruptKey {
    private InterruptKey() {}

    /**
     * Has {@code pressed} called, on a thread of its own, each time. Where the JVM does not offer that, or SIGINT is
     * ignored, everything stays as it was.
     */
    static void handle(Runnable pressed) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                pressed.run();
                yield null;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "interrupt key";
        };
        try {
            // Exported by jdk.unsupported for want of anything else; by name, since javac warns of it and cannot be
            // told not to.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handlers);
            handle.invoke(
                    null,
                    signal.getConstructor(String.class).newInstance("INT"),
                    Proxy.newProxyInstance(InterruptKey.class.getClassLoader(), new Class<?>[] {handlers}, handler));
        } catch (ReflectiveOperationException notOffered) {
            return;
        }
    }
}
