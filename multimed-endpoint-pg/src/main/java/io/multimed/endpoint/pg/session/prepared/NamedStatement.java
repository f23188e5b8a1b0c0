package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import java.time.Instant;

/**
 * A statement that a client has prepared under a name.
 *
 * @param since when the client prepared it; an engine may have prepared it before, for another client, or later
 */
public record NamedStatement(PreparedStatement statement, Instant since) {}
