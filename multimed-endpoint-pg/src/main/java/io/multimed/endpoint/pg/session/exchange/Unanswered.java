package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;

/** Answers the units that a lost engine has left unanswered, as if it had failed there: each unit is answered with one error. */
final class Unanswered {
    private final ClientLink client;
    private final SentMessages sent;

    Unanswered(ClientLink client, SentMessages sent) {
        this.client = client;
        this.sent = sent;
    }

    /**
     * Fails all units.
     *
     * @param toldBefore whether the client has been sent an error of the first unit
     * @param failedBefore whether the client's transaction block had failed before them
     * @return whether the block that is open behind the last unit has failed
     */
    boolean fail(ErrorFields error, boolean toldBefore, boolean failedBefore) {
        Replies replies = sent.replies();
        boolean told = toldBefore;
        boolean failed = failedBefore || told;
        boolean aborted = failedBefore;
        while (!replies.isEmpty()) {
            MessageKind kind = replies.headKind();
            boolean endsUnit = kind != null && Replies.endsUnit(kind);
            if (replies.headNote().internal()) {
                sent.dropHead();
                told &= !endsUnit;
            } else if (endsUnit) {
                Note end = replies.remove();
                // A unit that lacks only its ReadyForQuery has been executed.
                if (kind != MessageKind.SYNC && !told) {
                    tell(aborted && end.inBlock() ? Failing.ABORTED : error);
                    failed = true;
                }
                failed &= end.inBlock();
                aborted &= end.inBlock();
                told = false;
                ready(failed ? 'E' : end.inBlock() ? 'T' : 'I');
            } else {
                tell(aborted ? Failing.ABORTED : error);
                failed = true;
                told = true;
                sent.failUpToSync();
            }
        }
        return failed;
    }

    private void tell(ErrorFields error) {
        ByteBuf out = client.buffer(256);
        BackendMessages.error(out, error);
        client.write(out);
    }

    private void ready(char status) {
        ByteBuf out = client.buffer(8);
        BackendMessages.readyForQuery(out, (byte) status);
        client.write(out);
    }
}
