package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.sql.ClassifiedSql;
import org.jspecify.annotations.Nullable;

/** A message of a {@link Segment}, with the names in it. Names have one character per byte of the message. Immutable. */
sealed interface SegmentMessage {
    /** A message whose body cannot be decoded. The engine reports the error. */
    record Malformed(byte type) implements SegmentMessage {}

    /**
     * Parse.
     *
     * @param sql its classified statement
     * @param isNameTaken whether the client had prepared a statement under this name before the segment; false for no name
     */
    record Parse(ExtendedMessage.Parse message, ClassifiedSql sql, boolean isNameTaken) implements SegmentMessage {
        String name() {
            return message.name();
        }
    }

    /**
     * Bind.
     *
     * @param portal name of the portal that it creates
     * @param hasParameters whether it has parameters, or formats of parameters
     */
    record Bind(String portal, boolean hasParameters, Reference statement) implements SegmentMessage {}

    /** Describe of a prepared statement. */
    record DescribeStatement(Reference statement) implements SegmentMessage {}

    /**
     * Describe of a portal.
     *
     * @param kind P, or a kind that the engine refuses
     */
    record DescribePortal(byte kind, String portal) implements SegmentMessage {}

    /**
     * Execute.
     *
     * @param length as the message states it
     * @param isUnnamed whether it has a name and that is empty
     * @param isToItsEnd whether it asks for all rows
     */
    record Execute(String portal, int length, boolean isUnnamed, boolean isToItsEnd) implements SegmentMessage {}

    /**
     * Close.
     *
     * @param isKnown whether it is for a statement that the client had prepared before the segment
     */
    record Close(ExtendedMessage.Named message, boolean isKnown) implements SegmentMessage {
        String name() {
            return message.name();
        }
    }

    /**
     * Sync or Flush.
     *
     * @param isWellFormed whether it has no body
     */
    record Last(boolean isSync, boolean isWellFormed) implements SegmentMessage {}

    /**
     * The prepared statement that a message names.
     *
     * @param sql its classification; null if no statement of this name is known
     * @param earlier the statement, if the client had prepared it before the segment; otherwise null
     */
    record Reference(
            String name,
            @Nullable ClassifiedSql sql,
            @Nullable PreparedStatement earlier) {
        /** Whether the segment itself has prepared the statement. */
        boolean isOwn() {
            return sql != null && earlier == null;
        }
    }
}
