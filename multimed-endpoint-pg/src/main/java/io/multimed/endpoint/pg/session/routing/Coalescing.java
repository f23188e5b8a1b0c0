package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.reads.CoalescedRead;
import io.multimed.endpoint.pg.session.reads.CoalescedReads;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.model.Role;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
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

    /**
     * Has the unit, which was placed on the node and would wait behind the other's there, answered with another's that is the same,
     * if there is one.
     *
     * @return whether it is
     */
    boolean follow(ComputationalNode node) {
        asked = null;
        if (!mayShare(node) || loop.coalescedReads().isEmpty()) {
            return false;
        }
        asked = key();
        CoalescedRead read = asked == null ? null : loop.coalescedReads().get(asked);
        return read != null && read.node() == node && read.isLedOn(loop.loop()) && join(read);
    }

    /**
     * The unit, which follows nobody yet, has to wait for the node on which it was placed: others may follow it, unless it follows
     * another's that waits for another Satellite, or on another loop.
     *
     * @param served a connection is on its way, which is sooner than whatever waits elsewhere
     * @return the Satellite that will execute the other's; null if the unit follows nobody
     */
    @Nullable
    ComputationalNode followOrLead(ComputationalNode node, boolean served) {
        if (!mayShare(node) || !loop.options().limits().connections().sharing().coalescing()) {
            return null;
        }
        led = asked == null ? key() : asked;
        while (led != null) {
            CoalescedRead other = loop.coalescedReads().get(led);
            if (other != null && !served && join(other)) {
                led = null;
                return other.node();
            }
            CoalescedRead own = new CoalescedRead(node, loop.loop());
            if (loop.coalescedReads().add(led, own, other)) {
                leading = own;
                return null;
            }
        }
        return null;
    }

    private boolean join(CoalescedRead read) {
        if (!read.node().covers(unit.admission().required())) {
            return false;
        }
        // Before it is joined: from then on it may be completed.
        following = read;
        if (!read.join(this, unit.admission().required(), loop.loop())) {
            following = null;
        }
        return following != null;
    }

    /** The unit is going to be sent: nobody can follow it any more. @return it, if anybody does */
    @Nullable
    CoalescedRead begin() {
        CoalescedRead read = leave();
        return read != null && read.begin() ? read : null;
    }

    /** From now on nobody finds the read that the unit leads. @return it, null if it leads none */
    private @Nullable CoalescedRead leave() {
        CoalescedRead read = leading;
        if (led != null && read != null) {
            loop.coalescedReads().remove(led, read);
        }
        led = null;
        leading = null;
        return read;
    }

    /** The unit waits no longer, or for something else. */
    void abandon() {
        CoalescedRead read = leave();
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

    private CoalescedReads.@Nullable Key key() {
        boolean begins = unit.statements.getFirst() instanceof Statement.Begin;
        ReadKey wording = ReadKey.of(client.input(), unit.length, begins, prepared::get);
        return wording == null
                ? null
                : new CoalescedReads.Key(pool, variables.settings(), wording.text(), wording.meanings());
    }
}
