package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.AdminDatabase;

/**
 * Objects that all client connections of an endpoint share.
 *
 * @param replications counts the clients that are connected for replication, or about to be
 */
public record ClientShared(
        CancelKeys cancelKeys, ClientCounter clients, ClientCounter replications, AdminDatabase admin) {}
