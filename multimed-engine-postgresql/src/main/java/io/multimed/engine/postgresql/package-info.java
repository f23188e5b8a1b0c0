/**
 * PostgreSQL as Master and Satellite.
 *
 * <p>Read in this order: {@code binaries} finds the programs, {@code process} runs them, {@code cluster} makes a Master
 * or a Satellite of them, {@code copy} clones a running Master, {@code relay} hears of its commits, {@code catalog} asks
 * it questions.
 */
@NullMarked
package io.multimed.engine.postgresql;

import org.jspecify.annotations.NullMarked;
