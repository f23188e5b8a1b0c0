/**
 * MariaDB as Master and Satellite.
 *
 * <p>The root holds what all packages share: accounts and positions. It knows none of them.
 */
@NullMarked
package io.multimed.engine.mariadb;

import org.jspecify.annotations.NullMarked;
