package io.multimed.endpoint.pg.session.prepared;

import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ExtendedMessage;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * BEGIN, COMMIT and ROLLBACK as extended query messages, where no engine need be told of the block: each message about the
 * portal made of them is answered here.
 */
final class BlockMessages {
    private final OwnPortals portals;
    /** What executing it answers; null once the segment has made its portal, or if there is none to be made. */
    private @Nullable String tag;

    BlockMessages(OwnPortals portals) {
        this.portals = portals;
    }

    /** A segment begins; what the first portal that it makes is completed as if that is of such a statement, else null. */
    void first(@Nullable String completedAs) {
        tag = completedAs;
    }

    /** A Bind stands at the head of {@code in}. @return whether it made such a portal */
    boolean bound(ByteBuf in, ExtendedMessage.Bind bind) {
        String completedAs = tag;
        if (completedAs == null) {
            return false;
        }
        tag = null;
        portals.bound(OwnPortals.made(in, in.readerIndex(), bind), new OwnPortals.Portal() {
            @Override
            public void describe(ByteBuf out) {
                BackendMessages.noData(out);
            }

            @Override
            public void execute(ByteBuf out) {
                BackendMessages.commandComplete(out, completedAs);
            }

            @Override
            public boolean runsOnce() {
                return true;
            }
        });
        return true;
    }

    /** What is prepared of such a statement, of which no engine knows now. */
    void statementDescribed() {
        portals.answer(out -> {
            BackendMessages.noParameters(out);
            BackendMessages.noData(out);
        });
    }
}
