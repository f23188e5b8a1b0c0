/**
 * One MariaDB engine as an operating-system process: its settings file, start, end, and engines that an earlier run has left.
 *
 * <p>Calls block; one thread.
 */
@NullMarked
package io.multimed.engine.mariadb.process;

import org.jspecify.annotations.NullMarked;
