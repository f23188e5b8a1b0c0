package io.multimed.endpoint.mysql.session;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.endpoint.mysql.backend.MysqlOwnStatements.Answer;
import io.multimed.endpoint.mysql.backend.OwnConnection;
import io.multimed.protocol.mysql.ShownCommits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the Master which commits it shows ({@link ShownCommits}). A Satellite may show a commit before the Master does: with AFTER_SYNC
 * the relay has a transaction before the Master's engines commit it.
 *
 * <p>One answer serves all sessions that asked before it was sent.
 */
final class MysqlVisibilityProbe {
    private final OwnConnection own;
    private final AdmissionSources sources;
    private List<Runnable> asking = new ArrayList<>();
    private boolean underWay;

    MysqlVisibilityProbe(OwnConnection own, AdmissionSources sources) {
        this.own = own;
        this.sources = sources;
    }

    /** @param done called on the loop when the Master has been asked, or could not be */
    void take(Runnable done) {
        asking.add(done);
        send();
    }

    private void send() {
        if (underWay || asking.isEmpty()) {
            return;
        }
        underWay = true;
        List<Runnable> served = asking;
        asking = new ArrayList<>();
        own.execute(ShownCommits.STATEMENTS, answers -> {
            underWay = false;
            if (answers != null) {
                List<@Nullable String> row = answers.get(1).onlyRow();
                String position = row == null || anyError(answers) ? null : row.get(0);
                long scn = position == null ? -1 : sequence(position);
                if (scn >= 0) {
                    sources.visibility().visibleUpTo(scn);
                }
            }
            served.forEach(Runnable::run);
            send();
        });
    }

    private static boolean anyError(List<Answer> answers) {
        return answers.stream().anyMatch(answer -> answer.error() != null);
    }

    /** Returns the sequence number of domain 0 in a list of GTIDs; -1 if there is none. */
    static long sequence(String gtids) {
        for (String gtid : gtids.split(",")) {
            String[] parts = gtid.strip().split("-");
            if (parts.length == 3 && parts[0].equals("0")) {
                try {
                    return Long.parseLong(parts[2]);
                } catch (NumberFormatException notOne) {
                    return -1;
                }
            }
        }
        return -1;
    }
}
