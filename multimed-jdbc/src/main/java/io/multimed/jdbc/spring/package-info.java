/**
 * Spring Boot's configuration of the driver. Input: an application's environment. Output: the properties that its data sources
 * need. Runs in the thread that starts the application; loaded by Spring Boot alone.
 */
@NullMarked
package io.multimed.jdbc.spring;

import org.jspecify.annotations.NullMarked;
