/**
 * What the user wrote, as validated records.
 *
 * <p>In: TOML text and options of the command line. Out: a {@link io.multimed.server.config.Configuration} or a
 * {@link io.multimed.server.config.ConfigurationException} that names every wrong key, the reason and what is allowed.
 * Runs on the caller's thread, before anything is created.
 */
@NullMarked
package io.multimed.server.config;

import org.jspecify.annotations.NullMarked;
