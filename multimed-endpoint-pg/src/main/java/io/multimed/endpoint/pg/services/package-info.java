/**
 * Services that the endpoint requires of the rest of Multimed: the nodes and their logs, the classifier, catalogs, roles, snapshots
 * of the Master, tables for the admin database.
 *
 * <p>The server implements them. They are called on event loops and must not block; results may arrive on any thread.
 */
@NullMarked
package io.multimed.endpoint.pg.services;

import org.jspecify.annotations.NullMarked;
