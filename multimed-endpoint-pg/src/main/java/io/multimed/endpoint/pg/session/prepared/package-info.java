/**
 * The statements that clients prepare, by messages and by SQL, and the extended query messages about them.
 *
 * <p>In: Parse, Bind, Describe, Execute and Close with the client's names. Out: the same messages with the engine's names, preceded
 * by a Parse where the engine lacks a statement; or a reply, where no engine is needed. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.prepared;

import org.jspecify.annotations.NullMarked;
