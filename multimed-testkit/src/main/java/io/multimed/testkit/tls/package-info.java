/** Certificates for tests. */
@NullMarked
package io.multimed.testkit.tls;

import org.jspecify.annotations.NullMarked;
