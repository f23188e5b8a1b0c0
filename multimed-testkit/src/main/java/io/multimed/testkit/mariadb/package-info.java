/**
 * A plain MariaDB, and a client that shows what it sends byte for byte. No product code.
 *
 * <p>Used by the threads of tests.
 */
@NullMarked
package io.multimed.testkit.mariadb;

import org.jspecify.annotations.NullMarked;
