package io.multimed.model.topology;

/**
 * Memory and the cores next to it.
 *
 * @param number the kernel's
 * @param memoryBytes installed there
 */
public record NumaNode(int number, long memoryBytes) {}
