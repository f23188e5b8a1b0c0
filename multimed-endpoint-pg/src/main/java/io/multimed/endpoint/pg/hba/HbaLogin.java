package io.multimed.endpoint.pg.hba;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client that wants to log in.
 *
 * @param address null if it comes through a Unix-domain socket
 * @param encrypted whether the connection uses TLS
 * @param replication whether it wants a replication connection, which belongs to no database
 * @param roles that its role is a member of, directly or not, its role itself included; none if there is no such role, or if no
 *     rule asks for them
 */
public record HbaLogin(
        @Nullable InetAddress address,
        boolean encrypted,
        String database,
        boolean replication,
        String user,
        Set<String> roles) {
    public HbaLogin {
        roles = Set.copyOf(roles);
    }

    /** Returns PostgreSQL's description of it in the errors that refuse it. */
    private String described() {
        String host = address == null ? "[local]" : NetUtil.toAddressString(address);
        String encryption = encrypted ? "SSL encryption" : "no encryption";
        return replication
                ? "host \"%s\", user \"%s\", %s".formatted(host, user, encryption)
                : "host \"%s\", user \"%s\", database \"%s\", %s".formatted(host, user, database, encryption);
    }

    /** PostgreSQL's message if no rule concerns it. */
    public String noEntry() {
        return "no pg_hba.conf entry for " + (replication ? "replication connection from " : "") + described();
    }

    /** PostgreSQL's message if a rule rejects it. */
    public String rejected() {
        return "pg_hba.conf rejects " + (replication ? "replication " : "") + "connection for " + described();
    }
}
