/**
 * The client/server protocol of MySQL and MariaDB: framing, the messages that Multimed reads and writes, and the headers of binary log
 * events.
 *
 * <p>Most messages pass through Multimed as bytes; only headers, and the few messages that matter for routing and session state, are
 * decoded. Knows no session, no socket and no thread.
 *
 * @see <a href="https://mariadb.com/kb/en/clientserver-protocol/">MariaDB's description of the protocol</a>
 */
@NullMarked
package io.multimed.protocol.mysql;

import org.jspecify.annotations.NullMarked;
