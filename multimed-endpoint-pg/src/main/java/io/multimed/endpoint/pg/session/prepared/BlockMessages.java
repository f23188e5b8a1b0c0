package io.multimed.endpoint.pg.session.prepared;

import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ExtendedMessage;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * BEGIN, COMMIT and ROLLBACK as extended query messages, where the block need not be sent to an engine. Each message about the
 * portal made of such a statement is answered here.
 */
public final class BlockMessages {
    private final OwnPortals portals;
    /**
     * The tag of the CommandComplete that answers the execution; null once the segment has created its portal, or if there is none
     * to create.
     */
    private @Nullable String tag;

    public BlockMessages(OwnPortals portals) {
        this.portals = portals;
    }

    /**
     * Begins a segment.
     *
     * @param completedAs the tag with which the segment's first portal is completed, if that is of such a statement; otherwise null
     */
    void first(@Nullable String completedAs) {
        tag = completedAs;
    }

    /**
     * Handles a Bind at the head of {@code in}.
     *
     * @return whether it created such a portal
     */
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

    /** Answers a Describe of such a statement, which no engine holds now. */
    void statementDescribed() {
        portals.answer(out -> {
            BackendMessages.noParameters(out);
            BackendMessages.noData(out);
        });
    }
}
