package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements.Answer;
import io.multimed.protocol.mysql.ErrMessage;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The preparation of a session on the Master after a login: which account it is, what its settings are, and that the Master tells their
 * changes.
 */
final class SessionSetup {
    private static final int OWN_COLUMNS = 9;
    /** The errors of a session whose password has expired. */
    private static final int MUST_CHANGE_PASSWORD = 1820;

    private static final String TOLD =
            "@@session_track_system_variables, @@session_track_schema, @@session_track_state_change";
    /** Has the Master tell every change. */
    static final String TELL_ALL =
            "SET session_track_system_variables='*', session_track_schema=1, session_track_state_change=1";

    private static final String ACCOUNT =
            "SELECT HEX(CONVERT(CURRENT_USER() USING utf8mb4)), HEX(CONVERT(IFNULL(DATABASE(), '') USING utf8mb4)),"
                    + " " + TOLD
                    + ", @@wait_timeout, @@max_prepared_stmt_count, @@require_secure_transport, @@init_connect, ";
    /** FOUND_ROWS() is then what it is in a new session. */
    private static final String NO_ROWS = "SELECT 1 LIMIT 0";
    /** So is ROW_COUNT(). */
    private static final String NO_CHANGE = "DO 0";

    private SessionSetup() {}

    /**
     * @param scramble and reply of the client's last authentication, see {@link AccountCheck#judge}
     * @param done receives the error with which the client is to be refused; null if it is not
     */
    static void prepare(
            MysqlSession session,
            EngineLink master,
            byte[] scramble,
            byte @Nullable [] reply,
            Consumer<@Nullable ErrMessage> done) {
        List<String> statements =
                List.of(ACCOUNT + session.state().variables().expressions(), TELL_ALL, NO_ROWS, NO_CHANGE);
        MysqlOwnStatements.execute(master, session.masterCapabilities(), statements, answers -> {
            if (answers == null) {
                session.closed();
                return;
            }
            ErrMessage error = error(answers);
            List<@Nullable String> row = answers.get(0).onlyRow();
            if (error != null || row == null || row.get(0) == null) {
                done.accept(error == null || error.code() == MUST_CHANGE_PASSWORD ? MysqlErrors.EXPIRED : error);
                return;
            }
            if (isOn(row.get(OWN_COLUMNS - 2))
                    && !session.isLoggedIn()
                    && !session.client().isEncrypted()) {
                done.accept(MysqlErrors.INSECURE);
                return;
            }
            session.state().reset(bytes(row.get(1)), text(row.get(2)), isOn(row.get(3)), isOn(row.get(4)));
            if (!text(row.get(OWN_COLUMNS - 1)).isEmpty()) {
                session.state().pin("init_connect may have changed the session's character sets");
            }
            session.state().variables().take(row.subList(OWN_COLUMNS, row.size()));
            session.state().status(answers.get(answers.size() - 1).status());
            session.state().waits(Long.parseLong(text(row.get(OWN_COLUMNS - 4))));
            session.loop().preparedCounts().most(Long.parseLong(text(row.get(OWN_COLUMNS - 3))));
            session.account(bytes(row.get(0)));
            check(session, bytes(row.get(0)), scramble, reply, done);
        });
    }

    /** Has the Master tell every change again after the client has chosen what it tells. */
    static void hearAll(MysqlSession session, EngineLink master, Runnable done) {
        MysqlOwnStatements.execute(
                master, session.masterCapabilities(), List.of("SELECT " + TOLD, TELL_ALL), answers -> {
                    if (answers == null) {
                        session.closed();
                        return;
                    }
                    List<@Nullable String> row = answers.get(0).onlyRow();
                    if (row == null || error(answers) != null) {
                        session.state().pin("the Master does not tell the session's state");
                        session.state().told("*", true, true);
                    } else {
                        session.state().told(text(row.get(0)), isOn(row.get(1)), isOn(row.get(2)));
                    }
                    done.run();
                });
    }

    private static @Nullable ErrMessage error(List<Answer> answers) {
        for (Answer answer : answers) {
            if (answer.error() != null) {
                return answer.error();
            }
        }
        return null;
    }

    private static void check(
            MysqlSession session,
            byte[] account,
            byte[] scramble,
            byte @Nullable [] reply,
            Consumer<@Nullable ErrMessage> done) {
        int at = account.length - 1;
        while (at > 0 && account[at] != '@') {
            at--;
        }
        HexFormat hex = HexFormat.of();
        String query = "SELECT Priv FROM mysql.global_priv WHERE User=X'%s' AND Host=X'%s'"
                .formatted(hex.formatHex(account, 0, at), hex.formatHex(account, at + 1, account.length));
        session.loop().own().execute(List.of(query), answers -> {
            if (session.isClosed()) {
                return;
            }
            List<@Nullable String> row = answers == null ? null : answers.get(0).onlyRow();
            if (row != null && AccountCheck.countsLogins(row.get(0))) {
                session.state().hold();
            }
            switch (AccountCheck.judge(row == null ? null : row.get(0), scramble, reply)) {
                case AccountCheck.Verdict.KnownPassword known -> session.satelliteLogin(true, known.hash());
                case AccountCheck.Verdict.UnknownPassword ignored -> session.satelliteLogin(false, null);
                case AccountCheck.Verdict.Refused refused -> {
                    done.accept(refused.error());
                    return;
                }
            }
            done.accept(null);
        });
    }

    private static byte[] bytes(@Nullable String hex) {
        return hex == null ? new byte[0] : HexFormat.of().parseHex(hex.toLowerCase(Locale.ROOT));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    private static boolean isOn(@Nullable String value) {
        return value != null && (value.equals("1") || value.equalsIgnoreCase("ON"));
    }
}
