package io.multimed.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Turns Ctrl-C, or SIGINT from elsewhere, into a request to the program instead of the end of the JVM. */
final class InterruptKey {
    private InterruptKey() {}

    /**
     * Makes each Ctrl-C call {@code pressed}, on a thread of its own. If the JVM does not support that, or SIGINT is ignored,
     * nothing changes.
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
            // jdk.unsupported exports these classes, and there is no replacement. They are used by name, since javac's
            // warning about them cannot be switched off.
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
