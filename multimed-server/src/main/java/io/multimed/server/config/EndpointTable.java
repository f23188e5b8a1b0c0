package io.multimed.server.config;

import static io.multimed.server.config.TomlValues.path;
import static io.multimed.server.config.TomlValues.readableFile;
import static io.multimed.server.config.TomlValues.word;

import io.multimed.endpoint.pg.config.SocketDirectory;
import io.multimed.endpoint.pg.hba.HbaMistakesException;
import io.multimed.endpoint.pg.hba.HbaReader;
import io.multimed.endpoint.pg.hba.HbaRules;
import io.multimed.server.config.Configuration.Access;
import io.multimed.server.config.Configuration.Authentication;
import io.multimed.server.config.Configuration.Endpoint;
import io.multimed.server.config.Configuration.Tls;
import io.multimed.server.config.Configuration.TlsRequired;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads the table {@code [endpoint]}: where clients connect, and who gets in. Refuses an address that other machines can reach without
 * passwords and TLS.
 */
final class EndpointTable {
    private final TomlTable table;
    private final Path base;

    private EndpointTable(TomlTable table, Path base) {
        this.table = table;
        this.base = base;
    }

    /**
     * Reads the table; what is wrong is among the problems of the table.
     *
     * @param base the directory to which names of files are relative
     * @param overridden the address that the command line gives in place of the table's
     */
    static Endpoint read(TomlTable table, Path base, Optional<String> overridden) {
        return new EndpointTable(table, base).endpoint(overridden);
    }

    private Endpoint endpoint(Optional<String> overridden) {
        Consumer<String> problem = overridden.isPresent()
                ? reason -> table.problems().add("--listen: " + reason)
                : reason -> table.problem("listen", reason);
        Endpoint standard = Configuration.STANDARD.endpoint();
        ListenAddress listen = TomlValues.read(table, "listen", ListenAddress::parse, standard.listen());
        if (overridden.isPresent()) {
            try {
                listen = ListenAddress.parse(overridden.get());
            } catch (IllegalArgumentException e) {
                problem.accept(String.valueOf(e.getMessage()));
            }
        }
        Authentication auth = word(table, "auth", Authentication.class, standard.auth());
        Optional<Tls> tls = tls(table.table("tls"), table.has("tls"));
        Optional<Access> access = access(tls);
        // If there are rules, they decide who gets in.
        refuseOpenDoor(problem, listen, !table.has("hba_file") && (auth == Authentication.TRUST || tls.isEmpty()));
        Endpoint endpoint = new Endpoint(
                listen,
                unix(),
                auth,
                access,
                tls,
                table.integer("max_clients", 1, ConfigurationReader.MOST_CLIENTS)
                        .orElse(standard.maxClients()),
                Set.copyOf(table.texts("admin_users")),
                Set.copyOf(table.texts("stats_users")));
        table.end();
        return endpoint;
    }

    private Optional<SocketDirectory> unix() {
        Optional<Path> directory = path(table, "unix_socket_dir", base);
        directory
                .filter(path -> !Files.isDirectory(path))
                .ifPresent(path -> table.problem("unix_socket_dir", "there is no directory " + path));
        Set<PosixFilePermission> permissions =
                TomlValues.read(table, "unix_socket_mode", EndpointTable::permissions, permissions("0777"));
        Optional<String> group = table.text("unix_socket_group");
        return directory.map(path -> new SocketDirectory(path, permissions, group));
    }

    /** Reads permissions in octal notation. */
    private static Set<PosixFilePermission> permissions(String text) {
        if (!text.matches("0?[0-7]{3}")) {
            throw new IllegalArgumentException(
                    "must be permissions in octal notation, such as \"0770\", not \"" + text + "\"");
        }
        int bits = Integer.parseInt(text, 8);
        // The constants are in the order of the bits, the owner's first.
        PosixFilePermission[] all = PosixFilePermission.values();
        return Arrays.stream(all)
                .filter(permission -> ((bits >> (all.length - 1 - permission.ordinal())) & 1) == 1)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Reads the rules, which take the place of simpler keys. */
    private Optional<Access> access(Optional<Tls> tls) {
        Optional<Path> file = readableFile(table, "hba_file", base);
        Optional<Path> maps = readableFile(table, "ident_file", base);
        if (file.isEmpty()) {
            if (table.has("ident_file") && !table.has("hba_file")) {
                table.problem("ident_file", "has an effect only with rules, whose file hba_file names");
            }
            return Optional.empty();
        }
        if (table.has("auth")) {
            table.problem("auth", "the rules in " + file.get() + " (endpoint.hba_file) decide; leave one of them out");
        }
        if (table.table("tls").has("required")) {
            table.table("tls")
                    .problem(
                            "required",
                            "the rules in " + file.get()
                                    + " (endpoint.hba_file) decide, by hostssl; leave one of them out");
        }
        if (!Files.isReadable(file.get()) || !maps.map(Files::isReadable).orElse(true)) {
            return Optional.empty();
        }
        try {
            HbaRules rules = HbaReader.read(file.get(), maps);
            rules.demandingCertificate()
                    .filter(rule -> tls.flatMap(Tls::clientCa).isEmpty())
                    .ifPresent(
                            rule -> table.problems()
                                    .add(
                                            rule.file() + ", line " + rule.line()
                                                    + ": clients' certificates can be checked only if endpoint.tls.client_ca names those of the authorities"));
            return Optional.of(new Access(file.get(), maps, rules));
        } catch (HbaMistakesException e) {
            table.problems().addAll(e.mistakes());
            return Optional.empty();
        }
    }

    /** @param open whether anybody who reaches the address gets in, or can be overheard */
    private static void refuseOpenDoor(Consumer<String> problem, ListenAddress listen, boolean open) {
        boolean loopback;
        try {
            loopback = listen.resolve().getAddress().isLoopbackAddress();
        } catch (UnknownHostException e) {
            problem.accept("no address is known for \"" + listen.host() + "\"");
            return;
        }
        if (!loopback && open) {
            problem.accept(
                    listen + " can be reached from other machines, which is allowed only with"
                            + " passwords (endpoint.auth = \"scram-sha-256\") and TLS (endpoint.tls.certificate and"
                            + " endpoint.tls.key) or rules (endpoint.hba_file); without them use a loopback address such as 127.0.0.1");
        }
    }

    private Optional<Tls> tls(TomlTable keys, boolean wanted) {
        Optional<Path> certificate = readableFile(keys, "certificate", base);
        Optional<Path> key = readableFile(keys, "key", base);
        Optional<Path> clientCa = readableFile(keys, "client_ca", base);
        TlsRequired required = word(keys, "required", TlsRequired.class, TlsRequired.NEVER);
        keys.end();
        if (wanted && certificate.isEmpty()) {
            missing(keys, "certificate");
        }
        if (wanted && key.isEmpty()) {
            missing(keys, "key");
        }
        return certificate.flatMap(c -> key.map(k -> new Tls(c, k, clientCa, required)));
    }

    private static void missing(TomlTable table, String name) {
        if (!table.has(name)) {
            table.problem(name, "is missing; TLS needs a certificate and a key, the names of PEM files");
        }
    }
}
