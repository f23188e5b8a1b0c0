package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A statement that a client has prepared under a name. There may be a million of these objects.
 *
 * @param micros microseconds from 1970 to the client's preparation; an engine may have prepared it earlier, for another client, or
 *     later
 */
public record NamedStatement(PreparedStatement statement, long micros) {
    static NamedStatement now(PreparedStatement statement) {
        return new NamedStatement(statement, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    }

    /** The time at which the client prepared it. */
    public Instant since() {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
