package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those who have sent a unit on a connection behind that of its user, in order. Each is owed one ReadyForQuery; for those
 * who have left, somebody silent hears it.
 */
final class Followers {
    private final ArrayDeque<BackendUser> queue = new ArrayDeque<>(0);

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    void add(BackendUser follower) {
        queue.add(follower);
    }

    @Nullable
    BackendUser next() {
        return queue.poll();
    }

    /** Somebody who has sent nothing yet follows no longer: the last, or it would have. */
    void removeLast(BackendUser who) {
        if (queue.peekLast() == who) {
            queue.removeLast();
        }
    }

    /** In its place comes somebody else. */
    void replace(BackendUser who, BackendUser by) {
        for (int i = queue.size(); i > 0; i--) {
            BackendUser each = queue.remove();
            queue.add(each == who ? by : each);
        }
    }

    /** All leave. @return who they were */
    List<BackendWaiter> leave(BackendConnection connection) {
        List<BackendWaiter> left = new ArrayList<>(queue.size());
        for (int i = queue.size(); i > 0; i--) {
            BackendUser each = queue.remove();
            if (each instanceof BackendWaiter waiter) {
                left.add(waiter);
                queue.add(new Unheard(connection, 1));
            } else {
                queue.add(each);
            }
        }
        return left;
    }
}
