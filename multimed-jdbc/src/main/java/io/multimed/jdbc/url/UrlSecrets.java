package io.multimed.jdbc.url;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;

/** The secrets in a URL: passwords, keys, and SQL that may contain them. */
public final class UrlSecrets {
    /** Options whose value is a secret, or SQL that may contain secrets, besides all options that end in {@code password}. */
    private static final Set<String> SECRETS =
            Set.of("password_hash", "pwd", "crypt_key", "encryptionkey", "newencryptionkey", "init");

    private UrlSecrets() {}

    /** Returns the URL without secrets, for logs and metadata. */
    public static String withoutSecrets(String url) {
        List<String> kept = new ArrayList<>();
        for (String part : MultimedUrl.isRemote(url) ? List.of(url) : EmbeddedUrlParser.parts(url)) {
            if (kept.isEmpty()) {
                kept.add(takePasswords(part, new Properties()));
            } else if (!hasSecret(part)) {
                kept.add(part);
            }
        }
        return String.join(";", kept);
    }

    /** Whether the value of an option of that name must not be shown, or may contain anything. */
    static boolean isSecret(String name) {
        String lower = name.trim().toLowerCase(Locale.ROOT);
        return lower.endsWith("password") || SECRETS.contains(lower);
    }

    static boolean hasSecret(String option) {
        int equals = option.indexOf('=');
        return equals > 0 && isSecret(option.substring(0, equals));
    }

    /** Moves secrets after a question mark to the properties. */
    static String takePasswords(String url, Properties credentials) {
        int question = url.indexOf('?');
        if (question < 0) {
            return url;
        }
        StringBuilder kept = new StringBuilder(url.substring(0, question));
        char separator = '?';
        for (String option : url.substring(question + 1).split("&")) {
            if (hasSecret(option)) {
                int equals = option.indexOf('=');
                credentials.putIfAbsent(option.substring(0, equals), option.substring(equals + 1));
            } else {
                kept.append(separator).append(option);
                separator = '&';
            }
        }
        return kept.toString();
    }
}
