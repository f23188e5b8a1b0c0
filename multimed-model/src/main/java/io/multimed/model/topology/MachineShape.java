package io.multimed.model.topology;

/**
 * The shape of a regular machine.
 *
 * @param numaPerDie whether each die, rather than each package, is a NUMA node
 */
public record MachineShape(int packages, int diesPerPackage, int coresPerDie, int threadsPerCore, boolean numaPerDie) {
    private static final int MOST_CPUS = 8192;

    public MachineShape {
        if (packages < 1 || diesPerPackage < 1 || coresPerDie < 1 || threadsPerCore < 1) {
            throw new IllegalArgumentException("packages, dies, cores and threads must be at least 1");
        }
        if ((long) packages * diesPerPackage * coresPerDie * threadsPerCore > MOST_CPUS
                || (long) packages * diesPerPackage > MOST_CPUS) {
            throw new IllegalArgumentException("more than " + MOST_CPUS + " cpus");
        }
    }
}
