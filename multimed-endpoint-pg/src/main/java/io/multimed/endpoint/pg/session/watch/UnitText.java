package io.multimed.endpoint.pg.session.watch;

import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.sql.StatementClassifier;
import io.multimed.sql.StatementText;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The text of a unit, made from its first bytes, with or without literals. Event loop only. */
final class UnitText {
    /** Literals of a text with this word are never shown. */
    private static final String SECRET = "password";

    private final Exchange exchange;
    private final ClientStatements prepared;
    private final UnitHead head = new UnitHead();

    UnitText(Exchange exchange, ClientStatements prepared) {
        this.exchange = exchange;
        this.prepared = prepared;
    }

    /** Takes the unit at the head of the input. */
    void take(ByteBuf in) {
        head.copy(in);
    }

    /** Takes more of the same unit. */
    void takeRest(ByteBuf in) {
        head.copyRest(in);
    }

    /**
     * Returns the trace context that the client has put into a comment; null if there is none. The unit's own texts are looked at, not
     * those of statements prepared earlier, which have the context of the trace that prepared them.
     */
    @Nullable
    String traceParent() {
        if (!head.contains(TraceContext.KEY)) {
            return null;
        }
        for (byte[] sql : head.texts(name -> null)) {
            String context = TraceContext.of(new String(sql, StandardCharsets.UTF_8));
            if (context != null) {
                return context;
            }
        }
        return null;
    }

    /** Returns the unit's text; empty if it cannot be shown. */
    String shown(boolean literals) {
        return head.texts(prepared::get).stream()
                .map(sql -> shown(sql, literals))
                .collect(Collectors.joining("; "));
    }

    private String shown(byte[] sql, boolean literals) {
        if (!StatementClassifier.understands(exchange.clientEncoding(), sql, sql.length)) {
            return "(in the encoding " + exchange.clientEncoding() + ")";
        }
        String whole = new String(sql, StandardCharsets.UTF_8);
        return literals && !whole.toLowerCase(Locale.ROOT).contains(SECRET)
                ? whole.strip()
                : StatementText.withoutLiterals(sql, 0, sql.length);
    }
}
