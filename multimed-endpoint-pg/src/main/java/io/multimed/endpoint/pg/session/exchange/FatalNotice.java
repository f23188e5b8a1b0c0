package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.ErrorFields;

/**
 * The engine's last error before it closes a connection, for example a recovery conflict (40001).
 *
 * @param told whether the error has been passed to the client
 */
public record FatalNotice(ErrorFields error, boolean told) {}
