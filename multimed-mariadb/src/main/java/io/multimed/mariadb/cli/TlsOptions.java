package io.multimed.mariadb.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.server.config.Configuration.TlsRequired;
import io.multimed.server.startup.StartException;
import io.multimed.server.tls.TlsFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** The options of a command line that say what TLS clients can have. */
final class TlsOptions {
    static final Option CERTIFICATE = Arguments.value(
            "tls-cert",
            "FILE",
            "Certificate with which clients can use TLS, PEM, and those of its authorities behind it (default: no TLS).");
    static final Option KEY = Arguments.value("tls-key", "FILE", "Its private key, PEM (PKCS#8).");
    static final Option CLIENT_CA = Arguments.value(
            "tls-ca",
            "FILE",
            "Certificates of the authorities, PEM, by which a certificate that a client shows has to be.");
    static final Option REQUIRED = Arguments.value(
            "tls-required",
            "WHO",
            "Clients that are refused without TLS: never, remote (those on other machines) or always (default: never).");

    private TlsOptions() {}

    /** Returns what the options say; null if there is no TLS. */
    static @Nullable ReloadedTls of(Arguments given) throws ParseException, StartException {
        Optional<Path> certificate = given.path(CERTIFICATE);
        Optional<Path> key = given.path(KEY);
        if (certificate.isPresent() && key.isPresent()) {
            TlsRequired required = given.oneOf(REQUIRED, TlsRequired.class).orElse(TlsRequired.NEVER);
            return ReloadedTls.read(new TlsFiles(certificate.get(), key.get(), given.path(CLIENT_CA)), required);
        }
        for (Option option : List.of(CERTIFICATE, KEY, CLIENT_CA, REQUIRED)) {
            if (given.text(option).isPresent()) {
                throw new ParseException("--" + option.getLongOpt() + ": TLS needs both --tls-cert and --tls-key");
            }
        }
        return null;
    }
}
