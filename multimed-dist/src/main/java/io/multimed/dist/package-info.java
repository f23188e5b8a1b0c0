/**
 * Makes distributions of Multimed: a directory with everything that it needs, a tar archive of it, and a Debian package.
 *
 * <p>In: a build, with its libraries in one directory; the JDK that runs this program, of which a runtime is linked. Out: files.
 * Runs on the main thread; nothing of it goes into a distribution.
 */
@NullMarked
package io.multimed.dist;

import org.jspecify.annotations.NullMarked;
