package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedDatabase;
import java.lang.management.ManagementFactory;
import java.util.IdentityHashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The databases that have connections: each is a JMX bean as long as it has any. Any thread. */
final class OpenDatabases {
    private static final Map<EmbeddedDatabase, Integer> CONNECTIONS = new IdentityHashMap<>();

    private OpenDatabases() {}

    static void opened(EmbeddedDatabase database) {
        synchronized (CONNECTIONS) {
            if (CONNECTIONS.merge(database, 1, Integer::sum) == 1) {
                try {
                    server().registerMBean(new DatabaseBean(database), name(database));
                } catch (JMException e) {
                    log(e);
                }
            }
        }
    }

    static void closed(EmbeddedDatabase database) {
        synchronized (CONNECTIONS) {
            Integer left = CONNECTIONS.computeIfPresent(database, (same, open) -> open == 1 ? null : open - 1);
            if (left == null) {
                try {
                    server().unregisterMBean(name(database));
                } catch (JMException e) {
                    log(e);
                }
            }
        }
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    private static ObjectName name(EmbeddedDatabase database) throws JMException {
        String url = database.options().engineUrl();
        int options = url.indexOf(';');
        return new ObjectName(
                "io.multimed:type=Database,name=" + ObjectName.quote(options < 0 ? url : url.substring(0, options)));
    }

    /** Watching is not worth failing a connection for. */
    private static void log(JMException e) {
        System.getLogger("io.multimed.jdbc").log(System.Logger.Level.DEBUG, "no JMX bean for a database", e);
    }
}
