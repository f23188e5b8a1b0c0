package io.multimed.server.status;

import io.multimed.model.Role;
import java.util.List;

/**
 * Present status of one Computational Node.
 *
 * @param state serving, cloning, catching-up, down, ...
 * @param detail a few more words, such as the progress of a copy or the reason why it is down; may be empty
 * @param pid process number of the engine's main process; 0 if it is not running
 * @param cores hardware threads it may use
 * @param host directory of its Unix-domain socket
 * @param applied the SCN it has applied; for the Master the end of the received part of its log
 * @param lagMillis time since the oldest commit was received that it has not applied; 0 if it has applied all
 * @param active number of transactions that run there
 * @param served number of transactions served since the start
 * @param tables those that a partial Satellite carries, as far as they are known; none for other nodes
 */
public record NodeStatus(
        String name,
        Role role,
        String state,
        String detail,
        long pid,
        List<Integer> cores,
        String host,
        int port,
        long applied,
        double lagMillis,
        int active,
        long served,
        List<String> tables) {
    public NodeStatus {
        tables = List.copyOf(tables);
        cores = List.copyOf(cores);
    }
}
