package io.multimed.endpoint.pg.hba;

import io.multimed.endpoint.pg.hba.HbaRule.ClientCertificate;
import io.multimed.endpoint.pg.hba.HbaRule.Connections;
import io.multimed.endpoint.pg.hba.HbaRule.Method;
import io.multimed.endpoint.pg.hba.HbaRule.Options;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads rules and maps from their files. Messages about mistakes are PostgreSQL's. */
public final class HbaReader {
    private static final Set<String> NOT_SUPPORTED =
            Set.of("password", "ident", "gss", "sspi", "ldap", "radius", "pam", "bsd", "oauth", "krb5");
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    private final List<String> mistakes = new ArrayList<>();

    private HbaReader() {}

    /** Thrown if one line has a mistake. */
    private static final class LineException extends Exception {
        LineException(String message) {
            super(message, null, false, false);
        }
    }

    /** Reads one line. */
    private interface LineReader<T> {
        T read(HbaLine line) throws LineException;
    }

    /**
     * Reads files.
     *
     * @param maps file of user maps, in the format of {@code pg_ident.conf}
     * @throws HbaMistakesException with all mistakes
     */
    public static HbaRules read(Path rules, Optional<Path> maps) throws HbaMistakesException {
        HbaReader reader = new HbaReader();
        List<HbaLine> mapLines =
                maps.map(file -> HbaLines.read(file, reader.mistakes)).orElse(List.of());
        return reader.rules(rules, HbaLines.read(rules, reader.mistakes), mapLines);
    }

    /**
     * Reads text.
     *
     * @param source stands for the file's name in messages
     */
    public static HbaRules parse(Path source, String rules, String maps) throws HbaMistakesException {
        HbaReader reader = new HbaReader();
        return reader.rules(
                source, HbaLines.parse(source, rules, reader.mistakes), HbaLines.parse(source, maps, reader.mistakes));
    }

    private HbaRules rules(Path source, List<HbaLine> ruleLines, List<HbaLine> mapLines) throws HbaMistakesException {
        List<HbaRule> rules = each(ruleLines, HbaReader::rule);
        List<UserMap> maps = each(mapLines, HbaReader::map);
        if (ruleLines.isEmpty() && mistakes.isEmpty()) {
            mistakes.add(source + ": contains no entries, so nobody could connect");
        }
        if (!mistakes.isEmpty()) {
            throw new HbaMistakesException(mistakes);
        }
        return new HbaRules(rules, maps);
    }

    private <T> List<T> each(List<HbaLine> lines, LineReader<T> reader) {
        List<T> all = new ArrayList<>();
        for (HbaLine line : lines) {
            try {
                all.add(reader.read(line));
            } catch (LineException mistake) {
                mistakes.add(line.place() + mistake.getMessage());
            }
        }
        return all;
    }

    private static HbaRule rule(HbaLine line) throws LineException {
        Fields fields = new Fields(line);
        Connections connections = connections(fields.one("connection type", "connection type"));
        List<HbaName> databases = names(fields.several("database specification"), HbaName::database);
        List<HbaName> users = names(fields.several("role specification"), HbaName::user);
        HbaAddress address = connections == Connections.LOCAL ? null : address(fields);
        Method method = method(fields.one("authentication method", "authentication type"), connections);
        return new HbaRule(
                line.file(),
                line.number(),
                connections,
                databases,
                users,
                address,
                method,
                options(fields, connections, method));
    }

    private static UserMap map(HbaLine line) throws LineException {
        Fields fields = new Fields(line);
        try {
            String map = fields.one("entry", "map name").text();
            HbaName system = expressionOrName(fields.one("entry", "system user"));
            HbaName role = HbaName.user(fields.one("entry", "PostgreSQL user"));
            if (fields.hasNext()) {
                throw new LineException("a user map has three fields");
            }
            return new UserMap(map, system, role);
        } catch (IllegalArgumentException mistake) {
            throw new LineException(String.valueOf(mistake.getMessage()));
        }
    }

    private static HbaName expressionOrName(HbaToken word) {
        return word.text().startsWith("/") ? HbaName.user(word) : new HbaName(HbaName.Kind.NAME, word.text(), null);
    }

    private static Connections connections(HbaToken word) throws LineException {
        return switch (word.text()) {
            case "local" -> Connections.LOCAL;
            case "host" -> Connections.HOST;
            case "hostssl" -> Connections.HOST_TLS;
            // No connection of Multimed's uses GSSAPI encryption.
            case "hostnossl" -> Connections.HOST_PLAIN;
            case "hostnogssenc" -> Connections.HOST;
            case "hostgssenc" -> throw new LineException("GSSAPI encryption (hostgssenc) is not supported by Multimed");
            default -> throw new LineException("invalid connection type \"" + word.text() + "\"");
        };
    }

    private static List<HbaName> names(List<HbaToken> words, Function<HbaToken, HbaName> reader) throws LineException {
        try {
            return words.stream().map(reader).toList();
        } catch (IllegalArgumentException mistake) {
            throw new LineException(String.valueOf(mistake.getMessage()));
        }
    }

    private static HbaAddress address(Fields fields) throws LineException {
        HbaToken word = fields.one("IP address specification", "host address");
        if (word.isKeyword("all")) {
            return HbaAddress.Any.ANY;
        }
        if (word.isKeyword("samehost")) {
            return HbaAddress.Own.SAME_HOST;
        }
        if (word.isKeyword("samenet")) {
            return HbaAddress.Own.SAME_NET;
        }
        String text = word.text();
        int slash = text.indexOf('/');
        byte[] address = HbaAddress.numeric(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            if (slash >= 0) {
                throw new LineException("specifying both host name and CIDR mask is invalid: \"" + text + "\"");
            }
            if (text.matches("[0-9.:]+")) {
                throw new LineException("invalid IP address \"" + text + "\"");
            }
            return new HbaAddress.Host(text);
        }
        if (slash >= 0) {
            return HbaAddress.Network.of(address, bits(text, text.substring(slash + 1), address));
        }
        HbaToken maskWord = fields.one("netmask specification", "netmask");
        byte[] mask = HbaAddress.numeric(maskWord.text());
        if (mask == null) {
            throw new LineException("invalid IP mask \"" + maskWord.text() + "\"");
        }
        if (mask.length != address.length) {
            throw new LineException("IP address and mask do not match");
        }
        return HbaAddress.Network.of(address, mask);
    }

    private static int bits(String whole, String text, byte[] address) throws LineException {
        int most = address.length == IPV4_BITS / Byte.SIZE ? IPV4_BITS : IPV6_BITS;
        if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > most) {
            throw new LineException("invalid CIDR mask in address \"" + whole + "\"");
        }
        return Integer.parseInt(text);
    }

    private static Method method(HbaToken word, Connections connections) throws LineException {
        String text = word.text();
        if (NOT_SUPPORTED.contains(text) && !(text.equals("ident") && connections == Connections.LOCAL)) {
            throw new LineException("authentication method \"" + text + "\" is not supported by Multimed");
        }
        Method method = switch (text) {
            case "trust" -> Method.TRUST;
            case "reject" -> Method.REJECT;
            // As in PostgreSQL, md5 means SCRAM for a role with a SCRAM verifier; Multimed knows no others.
            case "scram-sha-256", "md5" -> Method.SCRAM_SHA_256;
            case "cert" -> Method.CERT;
            // For a local connection, ident means peer.
            case "peer", "ident" -> Method.PEER;
            default -> throw new LineException("invalid authentication method \"" + text + "\"");
        };
        if (method == Method.PEER && connections != Connections.LOCAL) {
            throw new LineException("peer authentication is only supported on local sockets");
        }
        if (method == Method.CERT && connections != Connections.HOST_TLS) {
            throw new LineException("cert authentication is only supported on hostssl connections");
        }
        return method;
    }

    private static Options options(Fields fields, Connections connections, Method method) throws LineException {
        ClientCertificate certificate = method == Method.CERT ? ClientCertificate.VERIFY_FULL : ClientCertificate.NONE;
        boolean wholeName = false;
        String map = null;
        while (fields.hasNext()) {
            for (HbaToken word : fields.several("option")) {
                int equals = word.text().indexOf('=');
                if (equals < 0) {
                    throw new LineException("authentication option not in name=value format: " + word.text());
                }
                String name = word.text().substring(0, equals);
                String value = word.text().substring(equals + 1);
                switch (name) {
                    case "map" -> {
                        if (method != Method.PEER && method != Method.CERT) {
                            throw new LineException(
                                    "authentication option \"map\" is only valid for authentication methods peer and cert");
                        }
                        map = value;
                    }
                    case "clientcert" -> certificate = demanded(value, connections, method);
                    case "clientname" -> {
                        if (connections != Connections.HOST_TLS) {
                            throw new LineException("clientname can only be configured for \"hostssl\" rows");
                        }
                        if (!value.equals("CN") && !value.equals("DN")) {
                            throw new LineException("invalid value for clientname: \"" + value + "\"");
                        }
                        wholeName = value.equals("DN");
                    }
                    default -> throw new LineException("unrecognized authentication option name: \"" + name + "\"");
                }
            }
        }
        return new Options(certificate, wholeName, map);
    }

    private static ClientCertificate demanded(String value, Connections connections, Method method)
            throws LineException {
        if (connections != Connections.HOST_TLS) {
            throw new LineException("clientcert can only be configured for \"hostssl\" rows");
        }
        return switch (value) {
            case "verify-full" -> ClientCertificate.VERIFY_FULL;
            case "verify-ca" -> {
                if (method == Method.CERT) {
                    throw new LineException(
                            "clientcert only accepts \"verify-full\" when using \"cert\" authentication");
                }
                yield ClientCertificate.VERIFY_CA;
            }
            default -> throw new LineException("invalid value for clientcert: \"" + value + "\"");
        };
    }

    /** The fields of a line, one after the other. */
    private static final class Fields {
        private final HbaLine line;
        private int next;

        Fields(HbaLine line) {
            this.line = line;
        }

        boolean hasNext() {
            return next < line.fields().size();
        }

        /** @param missing its name in the message if the line ends before it */
        List<HbaToken> several(String missing) throws LineException {
            if (!hasNext()) {
                throw new LineException(
                        missing.equals("entry") ? "missing entry at end of line" : "end-of-line before " + missing);
            }
            return line.fields().get(next++);
        }

        /** @param multiple its name in the message if there are several words */
        HbaToken one(String missing, String multiple) throws LineException {
            List<HbaToken> words = several(missing);
            if (words.size() != 1) {
                throw new LineException("multiple values specified for " + multiple);
            }
            return words.getFirst();
        }
    }
}
