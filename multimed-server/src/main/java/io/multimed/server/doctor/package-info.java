/**
 * Looks for what keeps Multimed from running well on this machine.
 *
 * <p>In: files of the kernel and answers of the machine, through an interface; a configuration and its System Model. Out: findings, each
 * with what mends it. Changes nothing. Runs on the caller's thread.
 */
@NullMarked
package io.multimed.server.doctor;

import org.jspecify.annotations.NullMarked;
