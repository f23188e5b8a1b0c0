/** The services that the endpoint needs from the rest of Multimed. */
@NullMarked
package io.multimed.endpoint.mysql.services;

import org.jspecify.annotations.NullMarked;
