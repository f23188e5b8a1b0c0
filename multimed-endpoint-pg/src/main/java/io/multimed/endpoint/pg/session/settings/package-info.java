/**
 * What a session has set: found out from the engine at login and after statements that may have changed it, told to each
 * backend that serves the session.
 *
 * <p>In: start-up parameters, statements being sent, the engine's answers. Out: settings for a backend, and what Multimed
 * itself goes by: freshness, defaults of transactions. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.settings;

import org.jspecify.annotations.NullMarked;
