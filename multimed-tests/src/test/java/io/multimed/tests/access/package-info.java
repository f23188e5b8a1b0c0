/** Rules that decide who may connect: Multimed's answers against PostgreSQL's, with the same rules. */
@NullMarked
package io.multimed.tests.access;

import org.jspecify.annotations.NullMarked;
