package io.multimed.endpoint.pg;

import io.multimed.testkit.wire.Message;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The fields of a server's errors and warnings on which clients act, for comparison with another server's. */
final class ComparedErrors {
    private ComparedErrors() {}

    /** Returns an error or notice without its place in the server's source; for other messages the type. */
    static String shown(Message message) {
        if (message.type() != 'E' && message.type() != 'N') {
            return "" + message.type();
        }
        Map<Character, String> fields = new TreeMap<>(message.fields());
        fields.keySet().retainAll(Set.of('V', 'C', 'M', 'D', 'H'));
        return message.type() + fields.toString();
    }
}
