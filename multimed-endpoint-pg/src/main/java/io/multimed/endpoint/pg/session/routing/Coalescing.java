package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
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

/** A session's part in coalescing equal reads: its unit follows the unit of another session, or others may follow it. */
public final class Coalescing implements CoalescedRead.Follower {
    private final LoopContext loop;
    private final CoalescedReads registry;
    private final SessionControl owner;
    private final ClientLink client;
    private final PoolKey pool;
    private final SessionVariables variables;
    private final Unit unit;
    private final ClientStatements prepared;
    /** The key of the unit's read; null if no other session could ask the same. */
    private CoalescedReads.@Nullable Key asked;
    /** The key under which other sessions find this session's waiting unit; null if none may follow. */
    private CoalescedReads.@Nullable Key led;

    private @Nullable CoalescedRead leading;
    /** The read for whose reply this unit waits; null if there is none. */
    private @Nullable CoalescedRead following;

    public Coalescing(
            LoopContext loop,
            SessionControl owner,
            ClientLink client,
            PoolKey pool,
            SessionVariables variables,
            Unit unit,
            ClientStatements prepared) {
        this.loop = loop;
        this.owner = owner;
        this.client = client;
        this.pool = pool;
        this.variables = variables;
        this.unit = unit;
        this.prepared = prepared;
        registry = loop.coalescedReads();
    }

    /**
     * Lets the unit follow an equal read of another session, if there is one. The unit was placed on the node and would wait behind
     * that read there.
     *
     * @return whether the unit follows
     */
    boolean follow(ComputationalNode node) {
        asked = null;
        if (registry.isEmpty() || !mayShare(node)) {
            return false;
        }
        asked = key();
        CoalescedRead read = asked == null ? null : registry.get(asked);
        return read != null && read.node() == node && read.isLedOn(loop.loop()) && join(read);
    }

    /**
     * Lets the unit follow, or lets others follow it. The unit follows nobody yet and has to wait for the node on which it was
     * placed. It follows an equal read that waits for another Satellite or on another loop; without such a read, others may follow
     * the unit.
     *
     * @param served whether a connection is on its way, which comes sooner than a connection that is awaited elsewhere
     * @return the Satellite that will execute the other session's read; null if the unit follows none
     */
    @Nullable
    ComputationalNode followOrLead(ComputationalNode node, boolean served) {
        if (!mayShare(node) || !loop.options().limits().connections().sharing().coalescing()) {
            return null;
        }
        led = asked == null ? key() : asked;
        while (led != null) {
            CoalescedRead other = registry.get(led);
            if (other != null && !served && join(other)) {
                led = null;
                return other.node();
            }
            CoalescedRead own = new CoalescedRead(node, loop.loop());
            if (registry.add(led, own, other)) {
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
        // Set before joining, because the read may be completed from then on.
        following = read;
        if (!read.join(this, unit.admission().required(), loop.loop())) {
            following = null;
        }
        return following != null;
    }

    /**
     * Ends the time in which others can follow the unit, because it is about to be sent.
     *
     * @return the read, if others follow it
     */
    @Nullable
    CoalescedRead begin() {
        CoalescedRead read = leading == null && led == null ? null : leave();
        return read != null && read.begin() ? read : null;
    }

    /**
     * Removes the read that the unit leads from the registry.
     *
     * @return the read; null if the unit leads none
     */
    private @Nullable CoalescedRead leave() {
        CoalescedRead read = leading;
        if (led != null && read != null) {
            registry.remove(led, read);
        }
        led = null;
        leading = null;
        return read;
    }

    /** Ends following and leading, because the unit no longer waits or waits for something else. */
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

    /**
     * Only reads on a Satellite are shared: the Master may have to be sent the BEGIN of a block before the read, which a Satellite
     * executes as a transaction of its own.
     */
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
