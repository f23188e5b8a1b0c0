package io.multimed.endpoint.pg.transcript;

import java.util.List;
import java.util.stream.Stream;

/** The first messages of an engine on a connection. They include the key by which its execution is cancelled. */
final class EngineGreeting {
    private static final List<String> REPORTED = List.of(
            "AuthenticationOk",
            "ParameterStatus server_version=18.0",
            "ParameterStatus server_encoding=UTF8",
            "ParameterStatus client_encoding=UTF8",
            "ParameterStatus standard_conforming_strings=on",
            "ParameterStatus in_hot_standby=off");

    private EngineGreeting() {}

    /** @param connection its name in the transcript */
    static List<String> messages(String connection) {
        return Stream.concat(REPORTED.stream(), Stream.of("BackendKeyData " + key(connection), "ReadyForQuery I"))
                .toList();
    }

    /** Returns the number of the process and its secret, as the messages about them are written. */
    static String key(String connection) {
        String[] parts = connection.split("-");
        int number = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
        int first = switch (parts[0]) {
            case "master" -> 1000;
            case "satellite" -> 2000;
            default -> 3000;
        };
        return first + number + " " + "%08x".formatted(connection.hashCode());
    }
}
