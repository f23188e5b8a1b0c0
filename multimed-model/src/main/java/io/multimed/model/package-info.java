/**
 * Terms shared by every module of Multimed: positions ({@link io.multimed.model.Scn}), nodes, freshness.
 *
 * <p>Immutable values only; no threads; depends on nothing but the JDK.
 */
@NullMarked
package io.multimed.model;

import org.jspecify.annotations.NullMarked;
