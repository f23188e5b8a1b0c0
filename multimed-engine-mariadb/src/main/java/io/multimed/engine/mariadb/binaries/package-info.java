/**
 * Sources of the engine's programs: MariaDB out of its Maven artifact, or an installation.
 *
 * <p>In: a directory. Out: {@link io.multimed.engine.mariadb.binaries.MariaDbBinaries}. Calls block; any thread.
 */
@NullMarked
package io.multimed.engine.mariadb.binaries;

import org.jspecify.annotations.NullMarked;
