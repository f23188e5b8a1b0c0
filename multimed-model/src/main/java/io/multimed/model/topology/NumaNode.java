package io.multimed.model.topology;

/**
 * A NUMA node: memory and the cores next to it.
 *
 * @param number the kernel's number of the node
 * @param memoryBytes size of its installed memory
 */
public record NumaNode(int number, long memoryBytes) {}
