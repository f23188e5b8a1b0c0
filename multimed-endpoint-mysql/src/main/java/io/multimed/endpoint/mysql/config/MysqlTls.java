package io.multimed.endpoint.mysql.config;

import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * TLS for clients. Both functions are called on event loops.
 *
 * @param context for a connection that begins now
 * @param required whether a client at this address may not do without
 */
public record MysqlTls(Supplier<SslContext> context, Predicate<InetAddress> required) {}
