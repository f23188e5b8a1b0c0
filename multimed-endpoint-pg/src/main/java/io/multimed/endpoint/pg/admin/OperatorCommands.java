package io.multimed.endpoint.pg.admin;

import io.multimed.endpoint.pg.services.Operations;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The commands that change something, with PgBouncer's names, tags and errors. */
final class OperatorCommands {
    private static final String HINT = "Superusers and the roles in endpoint.admin_users may.";

    private final DatabaseControl control;
    private final Operations operations;

    OperatorCommands(DatabaseControl control, Operations operations) {
        this.control = control;
        this.operations = operations;
    }

    /** Returns the command; null if it is unknown. */
    @Nullable
    AdminCommand command(String text, Viewer viewer) {
        int end = text.indexOf(' ');
        String verb = (end < 0 ? text : text.substring(0, end)).toUpperCase(Locale.ROOT);
        String argument = end < 0 ? "" : unquoted(text.substring(end + 1));
        if (argument == null) {
            return null;
        }
        Supplier<CompletableFuture<AdminAnswer>> execution = switch (verb) {
            case "PAUSE" -> () -> of("pause", argument, control::pause);
            case "RESUME" -> () -> now(() -> control.resume(argument));
            case "KILL" -> () -> of("kill", argument, control::kill);
            case "RECONNECT" -> () -> of("reconnect", argument, control::reconnect);
            case "WAIT_CLOSE" -> () -> of("wait in", argument, control::whenReconnected);
            case "DISABLE" -> () -> ofOne("disable", argument, control::disable);
            case "ENABLE" -> () -> ofOne("enable", argument, control::enable);
            case "KILL_CLIENT" -> () -> now(() -> killClient(argument));
            case "RELOAD" -> argument.isEmpty() ? this::reload : null;
            case "SHUTDOWN" -> shutdown(argument);
            default -> null;
        };
        return execution == null ? null : AdminCommand.of(verb, () -> permitted(verb, viewer, execution));
    }

    /** Returns the name that an argument stands for; null if it is no name. */
    private static @Nullable String unquoted(String argument) {
        if (argument.length() > 2 && argument.startsWith("\"") && argument.endsWith("\"")) {
            return argument.substring(1, argument.length() - 1).replace("\"\"", "\"");
        }
        return argument.matches("[^\\s\"']+") ? argument : null;
    }

    private static CompletableFuture<AdminAnswer> permitted(
            String verb, Viewer viewer, Supplier<CompletableFuture<AdminAnswer>> execution) {
        if (!viewer.administers()) {
            return CompletableFuture.failedFuture(new CommandFailure(
                    ErrorFields.error(SqlState.INSUFFICIENT_PRIVILEGE, "permission denied to execute " + verb)
                            .withHint(HINT)));
        }
        try {
            return execution.get();
        } catch (CommandFailure refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private static CompletableFuture<AdminAnswer> now(Runnable action) {
        action.run();
        return CompletableFuture.completedFuture(AdminAnswer.NOTHING);
    }

    /**
     * Executes a command for all databases, or for one that exists.
     *
     * @param verb for its refusal in the admin database
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The actions take the results and the failures.
    private CompletableFuture<AdminAnswer> of(
            String verb, String database, Function<String, CompletableFuture<AdminAnswer>> execution) {
        if (database.equals(AdminDatabase.NAME)) {
            throw new CommandFailure(
                    SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot " + verb + " admin db: " + database);
        }
        if (database.isEmpty()) {
            return execution.apply(database);
        }
        // The result is completed by hand, so that cancelling it ends the execution's wait.
        CompletableFuture<AdminAnswer> answer = new CompletableFuture<>();
        CompletableFuture<AdminAnswer> done = operations.databases().thenCompose(all -> {
            // While the Master cannot be asked, any name may be that of a database.
            if (!all.map(names -> names.contains(database)).orElse(true)) {
                throw new CommandFailure(SqlState.INVALID_CATALOG_NAME, "no such database: " + database);
            }
            CompletableFuture<AdminAnswer> waiting = execution.apply(database);
            answer.whenComplete((result, failure) -> waiting.cancel(false));
            return waiting;
        });
        done.whenComplete((result, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(result);
            }
        });
        return answer;
    }

    private CompletableFuture<AdminAnswer> ofOne(String verb, String database, Consumer<String> execution) {
        if (database.isEmpty()) {
            throw new CommandFailure(SqlState.SYNTAX_ERROR, "a database is required");
        }
        return of(verb, database, name -> now(() -> execution.accept(name)));
    }

    private CompletableFuture<AdminAnswer> reload() {
        return operations.reload().thenApply(result -> {
            if (!result.problems().isEmpty()) {
                throw new CommandFailure(ErrorFields.error(
                                SqlState.CONFIG_FILE_ERROR, "RELOAD failed, the configuration stays as it was")
                        .withDetail(String.join("\n", result.problems())));
            }
            return AdminAnswer.notices(result.lines().stream()
                    .map(line -> new ErrorFields("NOTICE", "00000", line, null, null))
                    .toList());
        });
    }

    private void killClient(String argument) {
        int processId;
        try {
            processId = Integer.parseInt(argument);
        } catch (NumberFormatException e) {
            throw new CommandFailure(SqlState.INVALID_PARAMETER_VALUE, "invalid client pointer supplied");
        }
        if (!control.killClient(processId)) {
            throw new CommandFailure(SqlState.UNDEFINED_OBJECT, "client not found");
        }
    }

    private @Nullable Supplier<CompletableFuture<AdminAnswer>> shutdown(String argument) {
        return switch (argument.toUpperCase(Locale.ROOT)) {
            case "" ->
                () -> {
                    control.end();
                    // The answer is the end of the connection.
                    return new CompletableFuture<>();
                };
            case "WAIT_FOR_SERVERS" -> () -> now(control::endWithoutServers);
            case "WAIT_FOR_CLIENTS" -> () -> now(control::endWithoutClients);
            default -> null;
        };
    }
}
