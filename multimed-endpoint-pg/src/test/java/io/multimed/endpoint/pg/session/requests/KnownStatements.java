package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.NotRead;
import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows statements by their text, and those that the client has prepared: {@code known} and {@code begin}. Any unknown text is a
 * read, except for {@code ?}, which has still to be classified.
 */
final class KnownStatements implements SegmentScanner.Statements {
    private static final byte[] NO_TYPES = {0, 0};

    private final Map<String, PreparedStatement> prepared =
            Map.of("known", statement("SELECT 1"), "begin", statement("BEGIN"));

    private static PreparedStatement statement(String sql) {
        return new PreparedStatement(sql.getBytes(StandardCharsets.US_ASCII), NO_TYPES, "anybody", 0);
    }

    /** Scans a segment of these messages. */
    Segment scan(byte[]... messages) throws ProtocolException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] message : messages) {
            all.writeBytes(message);
        }
        return SegmentScanner.scan(Unpooled.wrappedBuffer(all.toByteArray()), this);
    }

    @Override
    public @Nullable ClassifiedSql classify(byte[] sql) {
        return switch (new String(sql, StandardCharsets.ISO_8859_1)) {
            case "BEGIN" -> of(new Statement.Begin("BEGIN", Optional.empty(), Optional.empty(), Optional.empty()));
            case "COMMIT" -> of(new Statement.Commit(false));
            case "SHOW multimed.route" -> of(new Statement.Show("multimed.route"));
            case "INSERT" -> of(new Statement.Update(NotRead.WRITES, SessionEffect.NONE, "INSERT"));
            case "SELECT set_config()" ->
                of(new Statement.Update(NotRead.MAY_WRITE, SessionEffect.SETTINGS, "function"));
            case "?" -> null;
            default -> of(new Statement.Read(false));
        };
    }

    private static ClassifiedSql of(Statement statement) {
        return new ClassifiedSql(List.of(statement));
    }

    @Override
    public @Nullable PreparedStatement named(String name) {
        return prepared.get(name);
    }

    @Override
    public @Nullable ClassifiedSql classify(PreparedStatement statement) {
        return classify(statement.sql());
    }
}
