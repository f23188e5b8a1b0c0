/**
 * The configuration of an instance with MariaDB.
 *
 * <p>In: a file, which is read anew at the operator's wish, and the options of the command line. Out: values, or everything that is
 * wrong with them. Any thread; reading blocks.
 */
@NullMarked
package io.multimed.mariadb.cli.config;

import org.jspecify.annotations.NullMarked;
