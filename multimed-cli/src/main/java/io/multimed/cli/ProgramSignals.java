package io.multimed.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Turns signals such as SIGINT (Ctrl-C) and SIGHUP into requests to the program instead of the end of the JVM. */
public final class ProgramSignals {
    private ProgramSignals() {}

    /**
     * Makes each such signal call {@code action}, on a thread of its own. If the JVM does not support that, or the signal is ignored
     * (nohup), nothing changes.
     *
     * @param name without {@code SIG}
     */
    public static void handle(String name, Runnable action) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                action.run();
                yield null;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "signal " + name;
        };
        try {
            // jdk.unsupported exports these classes, and there is no replacement. They are used by name, since javac's
            // warning about them cannot be switched off.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handlers);
            handle.invoke(
                    null,
                    signal.getConstructor(String.class).newInstance(name),
                    Proxy.newProxyInstance(ProgramSignals.class.getClassLoader(), new Class<?>[] {handlers}, handler));
        } catch (ReflectiveOperationException notOffered) {
            return;
        }
    }
}
