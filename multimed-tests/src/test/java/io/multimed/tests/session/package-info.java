/**
 * Sessions of Multimed and of a plain PostgreSQL that are sent the same, statement by statement, by random programs with a
 * seed.
 */
@NullMarked
package io.multimed.tests.session;

import org.jspecify.annotations.NullMarked;
