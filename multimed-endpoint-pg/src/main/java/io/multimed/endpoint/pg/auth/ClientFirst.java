package io.multimed.endpoint.pg.auth;

import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;

/**
 * The client-first-message (RFC 5802).
 *
 * @param header the part about channel binding; the proof repeats it
 * @param bare the rest of the message
 */
record ClientFirst(String header, String bare, String nonce) {
    /**
     * Parses the message.
     *
     * @param bound whether the client chose the mechanism with channel binding
     * @param offered whether the server offered that mechanism
     */
    static ClientFirst parse(ScramText text, boolean bound, boolean offered) throws ProtocolException {
        binding(text, bound, offered);
        if (text.peek() == 'a') {
            throw unsupported("client uses authorization identity, but it is not supported");
        }
        if (text.peek() != ',') {
            throw ScramText.malformed(
                    "Unexpected attribute \"" + ScramText.shown(text.peek()) + "\" in client-first-message.");
        }
        text.skip();
        String header = text.before(text.position());
        String bare = text.rest();
        if (text.peek() == 'm') {
            throw unsupported("client requires an unsupported SCRAM extension");
        }
        // The user name of the start-up message counts, as in PostgreSQL.
        text.value('n');
        String nonce = text.value('r');
        if (!nonce.chars().allMatch(c -> ScramText.printable((char) c))) {
            throw ProtocolException.fatal(SqlState.PROTOCOL_VIOLATION, "non-printable characters in SCRAM nonce");
        }
        while (!text.atEnd()) {
            text.anyValue();
        }
        return new ClientFirst(header, bare, nonce);
    }

    private static void binding(ScramText text, boolean bound, boolean offered) throws ProtocolException {
        char flag = text.peek();
        switch (flag) {
            case 'n', 'y' -> {
                if (bound) {
                    throw ScramText.malformed("The client selected SCRAM-SHA-256-PLUS, but the SCRAM message does not"
                            + " include channel binding data.");
                }
                // A man in the middle may have removed the offer.
                if (flag == 'y' && offered) {
                    throw ProtocolException.fatal(
                            SqlState.INVALID_AUTHORIZATION,
                            "SCRAM channel binding negotiation error",
                            "The client supports SCRAM channel binding but thinks the server does not.  However, this"
                                    + " server does support channel binding.");
                }
                text.skip();
                text.comma();
            }
            case 'p' -> {
                if (!bound) {
                    throw ScramText.malformed("The client selected SCRAM-SHA-256 without channel binding, but the SCRAM"
                            + " message includes channel binding data.");
                }
                String type = text.value('p');
                if (!type.equals(ChannelBinding.TYPE)) {
                    throw ProtocolException.fatal(
                            SqlState.PROTOCOL_VIOLATION,
                            "unsupported SCRAM channel-binding type \"" + ScramText.shown(type) + "\"");
                }
            }
            default -> throw ScramText.malformed("Unexpected channel-binding flag \"" + ScramText.shown(flag) + "\".");
        }
    }

    private static ProtocolException unsupported(String message) {
        return ProtocolException.fatal(SqlState.FEATURE_NOT_SUPPORTED, message);
    }
}
