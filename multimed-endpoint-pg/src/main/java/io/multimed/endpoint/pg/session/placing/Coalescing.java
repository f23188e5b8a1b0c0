package io.multimed.endpoint.pg.session.placing;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.reads.CoalescedRead;
import io.multimed.endpoint.pg.session.reads.CoalescedReads;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A session's part in what several ask for at once: its unit follows that of another, or others may follow it. */
final class Coalescing implements CoalescedRead.Follower {
    private final LoopContext loop;
    private final SessionControl owner;
    private final ClientLink client;
    private final PoolKey pool;
    private final SessionVariables variables;
    private final Unit unit;
    private final ClientStatements prepared;
    /** What the unit has asked, if anybody could have asked the same. */
    private CoalescedReads.@Nullable Key asked;
    /** The unit waits, and others may follow. */
    private CoalescedReads.@Nullable Key led;

    private @Nullable CoalescedRead leading;
    /** It waits for what another is told. */
    private @Nullable CoalescedRead following;

    Coalescing(SessionContext session, SessionVariables variables, Unit unit, ClientStatements prepared) {
        loop = session.loop();
        owner = session.owner();
        client = session.client();
        pool = session.key();
        this.variables = variables;
        this.unit = unit;
        this.prepared = prepared;
    }

    /** @return whether another's unit, which waits for the node, is the same: then this one is answered with it */
    boolean follow(ComputationalNode node) {
        asked = null;
        if (!mayShare(node)
                || loop.coalescedReads().isEmpty()
                || !loop.statements().hasRoom(unit.length)) {
            return false;
        }
        asked = key(node);
        following = asked == null ? null : loop.coalescedReads().get(asked);
        if (following == null) {
            return false;
        }
        following.join(this);
        return true;
    }

    /** The unit, which {@link #follow}s nobody, waits for a connection to the node. */
    void lead(ComputationalNode node) {
        if (!mayShare(node) || !loop.options().limits().connections().sharing().coalescing()) {
            return;
        }
        led = asked == null ? key(node) : asked;
        if (led != null) {
            leading = new CoalescedRead(loop.loop());
            loop.coalescedReads().add(led, leading);
        }
    }

    /** The unit is going to be sent: nobody can follow it any more. @return it, if anybody does */
    @Nullable
    CoalescedRead begin() {
        CoalescedRead read = leading;
        if (led != null) {
            loop.coalescedReads().remove(led);
            led = null;
        }
        leading = null;
        return read != null && read.isFollowed() ? read : null;
    }

    /** The unit waits no longer, or for something else. */
    void abandon() {
        CoalescedRead read = begin();
        if (read != null) {
            read.dissolve();
        }
        if (following != null) {
            following.leave(this);
            following = null;
        }
    }

    @Override
    public void answered(CoalescedRead read, ComputationalNode node, ByteBuf answer) {
        if (following == read) {
            following = null;
            owner.answeredAlike(node, answer);
        }
    }

    @Override
    public void leftAlone(CoalescedRead read) {
        if (following == read) {
            following = null;
            owner.resume(Wait.SAME_READ);
        }
    }

    /** The Master may have to be told of a block before it executes what a Satellite executes by itself. */
    private boolean mayShare(ComputationalNode node) {
        return unit.isCoalescable && node.role() == Role.SATELLITE;
    }

    private CoalescedReads.@Nullable Key key(ComputationalNode node) {
        ByteBuffer text = text();
        return text == null ? null : new CoalescedReads.Key(node, pool, variables.settings(), text);
    }

    /**
     * What the unit tells an engine, by the engine's names.
     *
     * @return null if that is not all: it depends on what the session has prepared unnamed, or what is answered does
     */
    private @Nullable ByteBuffer text() {
        ByteBuf in = client.input();
        int start = in.readerIndex();
        int end = start + unit.length;
        if (in.getByte(start) == Frontend.QUERY) {
            return ByteBuffer.wrap(ByteBufUtil.getBytes(in, start, unit.length));
        }
        ByteBuf text = Unpooled.buffer(unit.length + 64);
        boolean begins = unit.statements.getFirst() instanceof Statement.Begin;
        boolean parsed = false;
        for (int at = start; at < end; ) {
            byte type = in.getByte(at);
            int total = in.getInt(at + 1) + 1;
            if (type == Frontend.DESCRIBE && in.getByte(at + 5) == 'S' || begins && type == Frontend.PARSE) {
                // An engine is asked about what has other names there, or hears what nobody else tells it.
                return null;
            } else if (begins) {
                // No engine is told of the block.
                begins = type != Frontend.EXECUTE;
            } else if (type == Frontend.BIND) {
                var bind = ExtendedMessage.Bind.decode(in, at);
                if (bind == null || bind.statement().isEmpty() && !parsed) {
                    return null;
                }
                text.writeByte(type).writeBytes(in, at + 5, bind.statementStart() - 5);
                if (!bind.statement().isEmpty()) {
                    PreparedStatement statement = prepared.get(bind.statement());
                    if (statement == null) {
                        return null;
                    }
                    text.writeCharSequence(statement.engineName(), StandardCharsets.ISO_8859_1);
                }
                text.writeBytes(in, at + bind.statementEnd(), total - bind.statementEnd());
            } else {
                parsed |= type == Frontend.PARSE;
                text.writeBytes(in, at, total);
            }
            at += total;
        }
        return text.nioBuffer();
    }
}
