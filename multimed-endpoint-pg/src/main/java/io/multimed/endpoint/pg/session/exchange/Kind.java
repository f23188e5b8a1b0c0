package io.multimed.endpoint.pg.session.exchange;

/** Of what an entry of {@link Replies} is the reply. */
public enum Kind {
    /** Query: anything up to ReadyForQuery. */
    QUERY,
    /** FunctionCall: up to ReadyForQuery. */
    FUNCTION_CALL,
    SYNC,
    PARSE,
    BIND,
    DESCRIBE,
    EXECUTE,
    CLOSE,
    /** Not from the engine: the attachment is what to send to the client when everything before has been sent. */
    LOCAL
}
