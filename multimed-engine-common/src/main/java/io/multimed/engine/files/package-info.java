/** Operations on directories and files that all kinds of engines need. In: paths. Out: exceptions with words for people. Any thread. */
@NullMarked
package io.multimed.engine.files;

import org.jspecify.annotations.NullMarked;
