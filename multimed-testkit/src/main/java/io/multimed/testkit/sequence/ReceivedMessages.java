package io.multimed.testkit.sequence;

import java.util.List;

/**
 * A server's answers to a sequence.
 *
 * @param lines every message, readable, in the order received
 * @param receivedBy for each burst, how many messages had been received when the client sent the next one
 * @param ended the server closed the connection
 * @param silent the client gave up waiting for a message that was due
 */
record ReceivedMessages(List<String> lines, List<Integer> receivedBy, boolean ended, boolean silent) {
    ReceivedMessages {
        lines = List.copyOf(lines);
        receivedBy = List.copyOf(receivedBy);
    }
}
