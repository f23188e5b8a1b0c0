package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.AdminDatabase;

/** Objects that all client connections of an endpoint share. */
public record ClientShared(CancelKeys cancelKeys, ClientCounter clients, AdminDatabase admin) {}
