/**
 * Reports for people who look for the cause of a problem.
 *
 * <p>In: the state of an instance, its configuration and its logs. Out: texts from which everything secret has been removed, and the data in
 * statements. Any thread.
 */
@NullMarked
package io.multimed.server.report;

import org.jspecify.annotations.NullMarked;
