package io.multimed.endpoint.pg.admin;

import io.multimed.core.counters.AdminTable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A known command of the admin database, which can be described before it is executed.
 *
 * @param tag command tag; empty for white space and comments
 * @param columns of its rows; none if it has no rows
 * @param execution executes it; completes on any thread. If the result is cancelled, nobody waits for it any more
 */
public record AdminCommand(String tag, List<String> columns, Supplier<CompletableFuture<AdminAnswer>> execution) {
    /** @param table called now for its columns, and at each execution for its rows */
    static AdminCommand show(Supplier<AdminTable> table) {
        return new AdminCommand(
                "SHOW",
                table.get().columns(),
                () -> CompletableFuture.completedFuture(
                        AdminAnswer.rows(table.get().rows())));
    }

    /** Returns a command without rows. */
    static AdminCommand of(String tag, Supplier<CompletableFuture<AdminAnswer>> execution) {
        return new AdminCommand(tag, List.of(), execution);
    }

    /** Returns a command without effect. */
    static AdminCommand nothing(String tag) {
        return of(tag, () -> CompletableFuture.completedFuture(AdminAnswer.NOTHING));
    }

    public boolean isEmpty() {
        return tag.isEmpty();
    }

    public boolean hasRows() {
        return !columns.isEmpty();
    }

    /** Returns the transaction status for ReadyForQuery after the command, given the one before. */
    public byte transaction(byte before) {
        return switch (tag) {
            case "BEGIN", "START TRANSACTION" -> (byte) 'T';
            case "COMMIT", "ROLLBACK" -> (byte) 'I';
            default -> before;
        };
    }
}
