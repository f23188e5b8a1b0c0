package io.multimed.endpoint.pg.session.exchange;

/** The request that an entry of {@link Replies} answers. */
public enum MessageKind {
    /** A Query; the reply is everything up to ReadyForQuery. */
    QUERY,
    /** A FunctionCall; the reply is everything up to ReadyForQuery. */
    FUNCTION_CALL,
    SYNC,
    PARSE,
    BIND,
    DESCRIBE,
    EXECUTE,
    CLOSE,
    /** A reply of Multimed's own. The attachment is sent to the client when everything before it has been sent. */
    LOCAL
}
