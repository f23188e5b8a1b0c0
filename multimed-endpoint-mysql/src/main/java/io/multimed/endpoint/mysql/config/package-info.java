/** The endpoint's configuration, as values. */
@NullMarked
package io.multimed.endpoint.mysql.config;

import org.jspecify.annotations.NullMarked;
