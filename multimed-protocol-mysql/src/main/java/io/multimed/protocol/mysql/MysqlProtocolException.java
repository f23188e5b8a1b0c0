package io.multimed.protocol.mysql;

/** Thrown if the peer violates the protocol: a message is too short, too long, or contradicts itself. */
public final class MysqlProtocolException extends Exception {
    public MysqlProtocolException(String message) {
        super(message, null, false, false);
    }
}
