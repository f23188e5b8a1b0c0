package io.multimed.mariadb.cli;

import io.multimed.endpoint.mysql.config.MysqlTls;
import io.multimed.server.config.Configuration.TlsRequired;
import io.multimed.server.config.Reloaded;
import io.multimed.server.startup.StartException;
import io.multimed.server.tls.TlsFiles;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TLS from files that may be read again, for connections that begin afterwards. Thread-safe. */
final class ReloadedTls {
    private static final String NAME = "--tls-cert, --tls-key";

    private final TlsFiles files;
    private final TlsRequired required;
    private List<Integer> contents;
    private volatile SslContext present;

    private ReloadedTls(TlsFiles files, TlsRequired required) throws StartException {
        this.files = files;
        this.required = required;
        contents = files.contents();
        present = files.context(NAME);
    }

    static ReloadedTls read(TlsFiles files, TlsRequired required) throws StartException {
        return new ReloadedTls(files, required);
    }

    MysqlTls forClients() {
        return new MysqlTls(() -> present, required::concerns);
    }

    /** Reads the files again. If they cannot be used, nothing changes. */
    static Reloaded reload(@Nullable ReloadedTls tls) {
        return tls == null ? new Reloaded(List.of(), List.of(), List.of()) : tls.reload();
    }

    private synchronized Reloaded reload() {
        try {
            List<Integer> now = files.contents();
            present = files.context(NAME);
            boolean same = now.equals(contents);
            contents = now;
            return new Reloaded(
                    List.of(), same ? List.of() : List.of(NAME + ": the files have other contents"), List.of());
        } catch (StartException mistake) {
            return Reloaded.refused(List.of(String.valueOf(mistake.getMessage())));
        }
    }
}
