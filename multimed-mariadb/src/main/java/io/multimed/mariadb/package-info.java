/**
 * One instance of Multimed with MariaDB as its engine: a Master, its relay, Satellites in memory, and an endpoint for clients.
 *
 * <p>In: programs, directories, a System Model and an address. Out: a database that clients of MariaDB use. Starting and closing block;
 * everything else runs in the threads of the parts.
 */
@NullMarked
package io.multimed.mariadb;

import org.jspecify.annotations.NullMarked;
