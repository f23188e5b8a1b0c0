package io.multimed.endpoint.pg;

import io.multimed.testkit.wire.Message;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What of a server's errors and warnings a client acts on, to be compared with another server's. */
final class Errors {
    private Errors() {}

    /** An error or notice without where in the server it comes from; of anything else the type. */
    static String shown(Message message) {
        if (message.type() != 'E' && message.type() != 'N') {
            return "" + message.type();
        }
        Map<Character, String> fields = new TreeMap<>(message.fields());
        fields.keySet().retainAll(Set.of('V', 'C', 'M', 'D', 'H'));
        return message.type() + fields.toString();
    }
}
