package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.ErrorFields;

/**
 * Why an engine closes a connection, in its own words: a recovery conflict, say (40001).
 *
 * @param told whether they have been passed to the client
 */
public record FatalNotice(ErrorFields error, boolean told) {}
