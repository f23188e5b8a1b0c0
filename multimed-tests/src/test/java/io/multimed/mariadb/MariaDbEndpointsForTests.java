package io.multimed.mariadb;

import io.multimed.endpoint.mysql.MysqlEndpoint;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.services.MysqlEndpointServices;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** Gives tests access to endpoints that differ from those of the product. */
public final class MariaDbEndpointsForTests {
    private MariaDbEndpointsForTests() {}

    public static MysqlEndpoint open(
            MariaDbInstance instance,
            UnaryOperator<MysqlEndpointOptions> options,
            UnaryOperator<MysqlEndpointServices> services)
            throws IOException {
        return instance.anotherEndpoint(options, services);
    }
}
