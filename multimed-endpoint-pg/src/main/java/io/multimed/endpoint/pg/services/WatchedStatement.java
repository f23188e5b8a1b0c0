package io.multimed.endpoint.pg.services;

/**
 * A statement that has been answered, or has ended with its session.
 *
 * @param outcome in words
 * @param failed whether the client was sent an error
 * @param nanos time from its first message to the last of its answer
 * @param waitNanos time of that before an engine had it
 * @param waitedFor the reason for the longest part of this wait; empty if there was none
 * @param route the node where it ran, and why
 * @param application name that the client has given itself; empty if none
 * @param address of the client
 * @param processId the number by which the client knows its server process
 * @param shape number of its shape; empty if it has none
 * @param several whether the client had sent more before it was answered
 * @param text empty if it cannot be shown
 */
public record WatchedStatement(
        String outcome,
        boolean failed,
        long nanos,
        long waitNanos,
        String waitedFor,
        String route,
        String user,
        String database,
        String application,
        String address,
        int processId,
        String shape,
        boolean several,
        String text) {}
