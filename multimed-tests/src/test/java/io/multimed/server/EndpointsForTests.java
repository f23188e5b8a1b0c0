package io.multimed.server;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.server.satellite.FeedSteps;
import io.multimed.server.startup.StartException;
import java.util.function.UnaryOperator;

/** Gives tests access to endpoints, and to instances, that differ from those of the product. */
public final class EndpointsForTests {
    private EndpointsForTests() {}

    public static PostgresEndpoint open(
            Multimed multimed, UnaryOperator<EndpointOptions> options, UnaryOperator<EndpointServices> services)
            throws StartException {
        return multimed.anotherEndpoint(options, services);
    }

    /** Starts an instance whose partial Satellites show commits by other steps. */
    public static Multimed start(StartOptions options, FeedSteps steps) throws Exception {
        return Multimed.start(options, steps);
    }
}
