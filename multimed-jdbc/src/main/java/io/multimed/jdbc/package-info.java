/**
 * The driver for {@code jdbc:multimed:}, its data sources, and the beans by which databases inside this process are watched.
 *
 * <p>Input: a URL of the application. Output: connections, whose classes lie in the packages below, which are not exported. Any
 * thread; one thread at a time uses a connection and the objects that it made, as the engines require, except for {@code cancel}
 * and {@code abort}.
 */
@NullMarked
package io.multimed.jdbc;

import org.jspecify.annotations.NullMarked;
