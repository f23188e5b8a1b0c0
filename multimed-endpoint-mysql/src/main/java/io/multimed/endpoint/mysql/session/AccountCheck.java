package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.NativePassword;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The check of an account, after the Master has let its client in.
 *
 * <p>With mysql_native_password, the client's reply and the stored double hash give SHA1(password), with which Multimed logs in to
 * Satellites as the same user. With other plugins there is no such thing, and the Master executes all reads of the session.
 *
 * <p>The Master has compared a cipher that the account requires with that of Multimed's own connection, so the account is refused.
 *
 * <p>The Master sees Multimed's own process at the other end of its socket. An account that is identified by it (unix_socket) would
 * therefore let in every client: it is refused unless the client has shown a password of the account.
 */
final class AccountCheck {
    /** The result of the check. */
    sealed interface Verdict {
        /** @param hash SHA1(password); null if the password is empty */
        record KnownPassword(byte @Nullable [] hash) implements Verdict {}

        record UnknownPassword() implements Verdict {}

        record Refused(ErrMessage error) implements Verdict {}
    }

    private static final Pattern DOUBLE_HASH = Pattern.compile("\"(\\*[0-9A-Fa-f]{40})\"");
    private static final Pattern EMPTY_PASSWORD = Pattern.compile("\"authentication_string\"\\s*:\\s*\"\"");

    private static final Pattern CIPHER = Pattern.compile("\"ssl_cipher\"\\s*:\\s*\"[^\"]");

    private static final Pattern LIMITED =
            Pattern.compile("\"max_(?:connections|questions|updates|user_connections)\"\\s*:\\s*[1-9]");

    private AccountCheck() {}

    /** Whether the Master counts what the account's sessions do, so that a login more than the client's own makes a difference. */
    static boolean countsLogins(@Nullable String privileges) {
        return privileges != null && LIMITED.matcher(privileges).find();
    }

    /**
     * @param privileges of the account, as {@code mysql.global_priv} has them; null if there is no such account
     * @param scramble for which the client has made its last reply of the plugin mysql_native_password
     * @param reply the client's; null if it has authenticated otherwise
     */
    static Verdict judge(@Nullable String privileges, byte[] scramble, byte @Nullable [] reply) {
        if (privileges == null) {
            return new Verdict.Refused(MysqlErrors.NO_ACCOUNTS);
        }
        if (CIPHER.matcher(privileges).find()) {
            return new Verdict.Refused(MysqlErrors.CIPHER);
        }
        if (reply != null) {
            Matcher hashes = DOUBLE_HASH.matcher(privileges);
            while (hashes.find()) {
                byte[] stored = NativePassword.stored(hashes.group(1));
                byte[] hash = stored == null ? null : NativePassword.recover(reply, scramble, stored);
                if (hash != null) {
                    return new Verdict.KnownPassword(hash);
                }
            }
        }
        if (privileges.contains("unix_socket")) {
            return new Verdict.Refused(MysqlErrors.UNIX_SOCKET);
        }
        boolean hasNoPassword = EMPTY_PASSWORD.matcher(privileges).find() || !privileges.contains("\"plugin\"");
        return reply != null && reply.length == 0 && hasNoPassword
                ? new Verdict.KnownPassword(null)
                : new Verdict.UnknownPassword();
    }
}
