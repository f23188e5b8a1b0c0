package io.multimed.model.plan;

import io.multimed.model.topology.CpuSet;

/**
 * The middleware's part of the machine.
 *
 * @param cpus hardware threads of the middleware's process
 * @param relayCpus the part of them that the relay's thread may use
 * @param loopCpus the part of them that the event loops may use
 * @param eventLoops number of event loops that serve clients
 */
public record MiddlewarePlan(CpuSet cpus, CpuSet relayCpus, CpuSet loopCpus, int eventLoops) {
    public MiddlewarePlan {
        if (eventLoops < 1) {
            throw new IllegalArgumentException("at least one event loop");
        }
    }
}
