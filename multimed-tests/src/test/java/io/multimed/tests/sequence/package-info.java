/** Random sequences of messages, played to PostgreSQL and to Multimed. In: seeds and recorded sequences. Out: differences. */
@NullMarked
package io.multimed.tests.sequence;

import org.jspecify.annotations.NullMarked;
