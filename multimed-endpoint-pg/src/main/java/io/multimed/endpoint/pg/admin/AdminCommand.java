package io.multimed.endpoint.pg.admin;

import io.multimed.endpoint.pg.services.AdminTable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A command of the admin database that is known, and can be described before it is executed.
 *
 * @param tag what it completes with; empty for one of white space and comments
 * @param columns of its rows; none if it has no rows
 * @param rows looks them up; completes on any thread. Values are shown by their {@code toString}.
 */
public record AdminCommand(String tag, List<String> columns, Supplier<CompletableFuture<List<List<Object>>>> rows) {
    /** @param table asked for its columns now, and for its rows whenever it is executed */
    static AdminCommand show(Supplier<AdminTable> table) {
        return new AdminCommand(
                "SHOW",
                table.get().columns(),
                () -> CompletableFuture.completedFuture(table.get().rows()));
    }

    /** One that does nothing. */
    static AdminCommand nothing(String tag) {
        return new AdminCommand(tag, List.of(), () -> CompletableFuture.completedFuture(List.of()));
    }

    public boolean isEmpty() {
        return tag.isEmpty();
    }

    public boolean hasRows() {
        return !columns.isEmpty();
    }

    /** Of ReadyForQuery once it is executed, given the one before. */
    public byte transaction(byte before) {
        return switch (tag) {
            case "BEGIN", "START TRANSACTION" -> (byte) 'T';
            case "COMMIT", "ROLLBACK" -> (byte) 'I';
            default -> before;
        };
    }
}
