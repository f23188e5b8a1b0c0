/**
 * The user's configuration, as validated records.
 *
 * <p>Input: TOML text and options of the command line. Output: a {@link io.multimed.server.config.Configuration} or a
 * {@link io.multimed.server.config.ConfigurationException} with every wrong key, the reason and the allowed values. Runs on the
 * caller's thread, before anything is created.
 */
@NullMarked
package io.multimed.server.config;

import org.jspecify.annotations.NullMarked;
