/**
 * What clients prepare, by messages and by SQL, and the extended query messages about it.
 *
 * <p>In: Parse, Bind, Describe, Execute and Close under the client's names. Out: the same under the engine's names, with a Parse
 * before them where the engine lacks a statement; or an answer, where no engine need be asked. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.prepared;

import org.jspecify.annotations.NullMarked;
