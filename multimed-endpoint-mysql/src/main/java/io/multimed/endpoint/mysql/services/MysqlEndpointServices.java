package io.multimed.endpoint.mysql.services;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.counters.AdminTable;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of Multimed that sessions use. All are thread-safe.
 *
 * @param admission decides where transactions begin. An SCN is the sequence number of a GTID
 * @param gate wakes reads that wait for a Satellite
 * @param socketPath path of the socket of a node's engine, requested for each connection. The engine accepts PROXY headers there
 * @param account with which Multimed itself logs in to the engines
 * @param schemaChanges number of changes of schemas and accounts so far; it rises before the floor covers the change
 * @param coveredChanges number of those that the floor covers; it rises after the floor
 * @param tables of the instance by their names in small letters, as {@code SHOW MULTIMED} shows them; null for an unknown name. May block
 *     for a second
 * @param beforeKill called before a session or statement is killed, since that may end a commit's wait for the relay
 */
public record MysqlEndpointServices(
        AdmissionSources admission,
        FreshnessGate gate,
        Function<ComputationalNode, String> socketPath,
        Account account,
        LongSupplier schemaChanges,
        LongSupplier coveredChanges,
        Function<String, @Nullable AdminTable> tables,
        Runnable beforeKill) {
    /** @param password empty for none */
    public record Account(String user, String password) {}

    /** Returns the same with other tables. */
    public MysqlEndpointServices withTables(Function<String, @Nullable AdminTable> others) {
        return new MysqlEndpointServices(
                admission, gate, socketPath, account, schemaChanges, coveredChanges, others, beforeKill);
    }
}
