/**
 * Sources of the engine's programs: PostgreSQL 18 out of its Maven artifact, or an installation of 15 to 18.
 *
 * <p>In: a cache directory, or the directory the user named. Out: {@link
 * io.multimed.engine.postgresql.binaries.EngineBinaries}, programs that were run once to find out their version. Blocks; any
 * thread; safe against other processes that unpack at the same time.
 */
@NullMarked
package io.multimed.engine.postgresql.binaries;

import org.jspecify.annotations.NullMarked;
