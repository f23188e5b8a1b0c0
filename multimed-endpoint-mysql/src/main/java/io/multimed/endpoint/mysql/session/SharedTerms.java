package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.HandshakeResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All on which the result of a session's reads depends besides the statement. Sessions with equal terms can share connections to
 * Satellites.
 *
 * @param user the name that was sent at the login
 * @param client the address from which the client has connected: accounts depend on it
 * @param hash SHA1(password); null for an empty password
 * @param capabilities of the client
 * @param collation of the login
 * @param settings statements that set the session's variables and database
 */
record SharedTerms(
        ByteBuffer user,
        InetAddress client,
        @Nullable ByteBuffer hash,
        long capabilities,
        int collation,
        List<String> settings) {
    private static final long LARGEST_PACKET = 1 << 30;

    /** Returns the terms of a session; null if its database cannot be told to another connection. */
    static @Nullable SharedTerms of(MysqlSession session, HandshakeResponse login, byte @Nullable [] hash) {
        List<String> settings = new ArrayList<>();
        // With a transaction that stays open, the second read would show what the first has seen.
        settings.add("SET autocommit=1");
        settings.add("SET SESSION TRANSACTION READ ONLY");
        settings.addAll(session.state().variables().statements());
        byte[] database = session.state().database();
        if (database.length > 0) {
            String use = use(database);
            if (use == null) {
                return null;
            }
            settings.add(use);
        }
        InetSocketAddress remote = session.client().remote();
        return new SharedTerms(
                ByteBuffer.wrap(login.user()),
                remote.getAddress(),
                hash == null ? null : ByteBuffer.wrap(hash),
                SatelliteConnection.capabilities(login) & session.offered() & ~Capability.CONNECT_ATTRS,
                login.collation(),
                List.copyOf(settings));
    }

    /** Returns the statement that chooses a database; null if not every engine would read its name alike. */
    static @Nullable String use(byte[] database) {
        String name = new String(database, StandardCharsets.UTF_8);
        // The statement is in ASCII, in whatever character set the engine reads it.
        return name.chars().allMatch(c -> c >= ' ' && c < 0x7f) ? "USE `" + name.replace("`", "``") + "`" : null;
    }

    /** Returns the client's part of a login without a reply. It has no attributes, which are each client's own. */
    HandshakeResponse login() {
        byte[] none = new byte[0];
        return new HandshakeResponse(capabilities, LARGEST_PACKET, collation, bytes(user), none, none, none, none);
    }

    byte @Nullable [] passwordHash() {
        return hash == null ? null : bytes(hash);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
