package io.multimed.jdbc.url;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** The statements with which each new connection to H2 begins. */
final class InitialStatements {
    private InitialStatements() {}

    /**
     * Takes out the statements that H2 would execute on the Master for each new connection. Changes made by INIT must reach the
     * Satellites too, and auto-commit is provided by the driver.
     */
    static List<String> take(List<String> parts, Properties credentials) {
        Map<String, String> taken = new LinkedHashMap<>();
        parts.removeIf(part -> {
            int equals = part.indexOf('=');
            return equals > 0
                    && take(
                            part.substring(0, equals),
                            part.substring(equals + 1).replaceAll("\\\\(.)", "$1"),
                            taken);
        });
        for (String name : credentials.stringPropertyNames()) {
            if (take(name, credentials.getProperty(name), taken)) {
                credentials.remove(name);
            }
        }
        List<String> initial = new ArrayList<>();
        String init = taken.get("INIT");
        if (init != null) {
            initial.add(init);
        }
        // Last, because H2 commits the changes of INIT.
        String autocommit = taken.get("AUTOCOMMIT");
        if (autocommit != null) {
            initial.add("SET AUTOCOMMIT " + autocommit);
        }
        return initial;
    }

    private static boolean take(String name, String value, Map<String, String> taken) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (!upper.equals("INIT") && !upper.equals("AUTOCOMMIT")) {
            return false;
        }
        taken.put(upper, value);
        return true;
    }
}
