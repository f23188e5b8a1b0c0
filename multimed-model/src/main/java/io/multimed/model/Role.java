package io.multimed.model;

/** The role of a Computational Node. */
public enum Role {
    /** Executes every update; durable. */
    MASTER,
    /** Holds a copy in memory and executes reads. */
    SATELLITE
}
