package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedDatabase;
import io.multimed.jdbc.embedded.DatabaseListener;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** The databases that have connections or stay open without them. Each has a JMX bean as long as it is open. Any thread. */
final class OpenDatabases implements DatabaseListener {
    /** The only one: beans are of the whole process. */
    static final DatabaseListener LISTENER = new OpenDatabases();

    /** Number of connections of each database. */
    private final IdentityHashMap<EmbeddedDatabase, Integer> connections = new IdentityHashMap<>();

    /** The databases with beans, by the name of the bean. Guarded like the connections. */
    private final Map<ObjectName, EmbeddedDatabase> beans = new HashMap<>();

    private OpenDatabases() {}

    @Override
    public void opened(EmbeddedDatabase database) {
        synchronized (connections) {
            if (connections.merge(database, 1, Integer::sum) == 1) {
                ObjectName name = name(database);
                if (name != null && !beans.containsKey(name)) {
                    register(database, name);
                }
            }
        }
    }

    @Override
    public void closed(EmbeddedDatabase database) {
        boolean last;
        synchronized (connections) {
            last = connections.computeIfPresent(database, (same, open) -> open == 1 ? null : open - 1) == null;
        }
        if (last) {
            database.whenEnded(() -> ended(database));
        }
    }

    private void ended(EmbeddedDatabase database) {
        synchronized (connections) {
            ObjectName name = name(database);
            // Another database may have this name by now.
            if (name != null && database.equals(beans.get(name))) {
                beans.remove(name);
                try {
                    server().unregisterMBean(name);
                } catch (JMException e) {
                    log(e);
                }
            }
        }
    }

    private void register(EmbeddedDatabase database, ObjectName name) {
        try {
            server().registerMBean(new DatabaseBean(database), name);
            beans.put(name, database);
        } catch (JMException e) {
            log(e);
        }
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    private static @Nullable ObjectName name(EmbeddedDatabase database) {
        String url = database.options().engineUrl();
        int options = url.indexOf(';');
        try {
            return new ObjectName("io.multimed:type=Database,name="
                    + ObjectName.quote(options < 0 ? url : url.substring(0, options)));
        } catch (JMException e) {
            log(e);
            return null;
        }
    }

    /** Logs a failure, because a connection must not fail for the sake of monitoring. */
    private static void log(JMException e) {
        System.getLogger("io.multimed.jdbc").log(System.Logger.Level.DEBUG, "no JMX bean for a database", e);
    }
}
