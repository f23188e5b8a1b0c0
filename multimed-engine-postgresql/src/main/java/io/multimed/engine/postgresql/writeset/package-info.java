/**
 * Write sets from the Master's log: the committed transactions of some tables, for Satellites that do not hold all.
 *
 * <p>In: the changes of one publication through one logical slot (pgoutput), or the log of one physical slot, in which triggers have left
 * the rows ({@link io.multimed.engine.postgresql.writeset.CaptureKind}). Out: whole transactions in the order of their commits,
 * each with the SCN that the relay has for it, applied to each subscriber's engine; and positions ({@link
 * io.multimed.engine.postgresql.writeset.SubscriberPositions}): {@code forwarded} before a group of transactions is applied, {@code applied}
 * after it.
 *
 * <p>{@link io.multimed.engine.postgresql.writeset.MasterWriteSets} is the source for all partial Satellites of a database; its
 * thread {@code multimed-writesets-keeper} looks after the slot, the publication and the triggers. A {@link
 * io.multimed.engine.postgresql.writeset.Lane} receives, decodes and distributes in one thread: the one that all share in {@code
 * multimed-writesets}, that of a subscription which is behind in {@code multimed-writesets-NUMBER}. A {@link
 * io.multimed.engine.postgresql.writeset.Subscription} is the queue to one {@link io.multimed.engine.postgresql.writeset.Applier}, which has
 * a thread and a connection of its own, {@code multimed-applier-NAME}.
 *
 * <p>Transactions that have not ended are in memory up to a bound; one beyond it ends the lane and its subscriptions. Nothing here
 * holds the Master up, except that its slot keeps the log which a subscriber has not applied.
 */
@NullMarked
package io.multimed.engine.postgresql.writeset;

import org.jspecify.annotations.NullMarked;
