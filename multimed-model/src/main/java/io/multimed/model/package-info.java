/**
 * Terms shared by every module of Multimed: nodes and freshness. A position in the log is a {@code long} named {@code scn} everywhere.
 *
 * <p>Immutable values only; no threads; depends on nothing but the JDK.
 */
@NullMarked
package io.multimed.model;

import org.jspecify.annotations.NullMarked;
