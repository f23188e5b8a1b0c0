package io.multimed.model;

/** What a Computational Node is for. */
public enum Role {
    /** Executes every update; durable. */
    MASTER,
    /** Holds a copy in memory and executes reads. */
    SATELLITE
}
