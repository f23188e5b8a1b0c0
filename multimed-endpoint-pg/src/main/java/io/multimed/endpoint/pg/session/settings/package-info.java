/**
 * The settings of a session. They are obtained from the engine at login and after statements that may have changed them, and are
 * sent to each backend that serves the session.
 *
 * <p>In: start-up parameters, statements being sent, the engine's answers. Out: settings for a backend, and the settings that
 * affect Multimed itself: freshness and defaults of transactions. Event loop only.
 */
@NullMarked
package io.multimed.endpoint.pg.session.settings;

import org.jspecify.annotations.NullMarked;
