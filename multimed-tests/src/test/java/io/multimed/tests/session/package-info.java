/** Sessions of Multimed and of a plain PostgreSQL that receive the same statements, from random programs with a seed. */
@NullMarked
package io.multimed.tests.session;

import org.jspecify.annotations.NullMarked;
