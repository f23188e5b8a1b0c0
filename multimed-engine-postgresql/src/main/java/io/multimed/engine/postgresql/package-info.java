/**
 * PostgreSQL as Master and Satellite.
 *
 * <p>Read in this order: {@code binaries} finds the programs, {@code process} runs them, {@code cluster} makes a Master or a
 * Satellite of them, {@code copy} clones a running Master, {@code relay} receives its commits, {@code catalog} queries it.
 */
@NullMarked
package io.multimed.engine.postgresql;

import org.jspecify.annotations.NullMarked;
