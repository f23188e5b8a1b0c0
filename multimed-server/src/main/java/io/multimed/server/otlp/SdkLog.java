package io.multimed.server.otlp;

import java.util.logging.Logger;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Passes the messages of the OpenTelemetry SDK, which has another logging interface, to the log of the process. */
final class SdkLog {
    /** Held, since the JDK forgets loggers that nobody holds, with their handlers. */
    private static final Logger SDK = Logger.getLogger("io.opentelemetry");

    private SdkLog() {}

    static synchronized void passToLog() {
        if (SDK.getUseParentHandlers()) {
            SDK.setUseParentHandlers(false);
            SDK.addHandler(new SLF4JBridgeHandler());
        }
    }
}
