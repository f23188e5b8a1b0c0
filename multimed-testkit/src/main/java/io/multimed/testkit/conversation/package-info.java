/**
 * Conversations with a PostgreSQL server as text: the messages sent, and every message that comes back.
 *
 * <p>In: a script and a server. Out: the transcript, which must be the recorded one, whatever stands at the address.
 * Parts that differ from run to run (OIDs, pids, keys) are masked. The calling thread does everything.
 *
 * <p>A script is a list of steps, separated by blank lines; {@code #} begins a comment line. The answer of a step
 * follows a line {@code ----}. Where Multimed is known to answer otherwise, its answer follows a line {@code ----
 * multimed: REASON}.
 *
 * <pre>
 * session one [user=NAME] [NAME=VALUE ...]    connects and starts up
 * ask one                                     sends the indented messages; reads one ReadyForQuery for each Query,
 *   Query SELECT 1                            FunctionCall and Sync among them
 * send one                                    sends the indented messages and reads nothing
 * until one ReadyForQuery [N]                 reads up to the N-th (first) such message
 * end one                                     reads until the server closes
 * notifications one N                         waits for N notifications; they may come at any time
 * greeting one                                shows the messages from start-up to the first ReadyForQuery
 * cancel one                                  a CancelRequest for the session
 * cancelled one                               again and again until its query ends; reads error and ReadyForQuery
 * close one                                   Terminate
 * sql SELECT ...                              runs on a session of its own and must succeed
 * await SELECT ...                            the same, again and again until it returns true
 * mask REGEX => TEXT                          for all answers that follow
 * </pre>
 *
 * <p>Messages, with {@code -} for an empty name; the last argument of Query and Parse is the rest of the line and of
 * deeper indented lines:
 *
 * <pre>
 * Query SQL                        Parse NAME [types=OID,...] SQL
 * Bind PORTAL STATEMENT ['text' | x'00ff' | NULL ...] [formats=0,1] [results=1]
 * Describe S|P NAME                Execute PORTAL ROWS            Close S|P NAME
 * Sync   Flush   Terminate         FunctionCall OID ['text' ...]
 * CopyData 'text\n'                CopyDone                       CopyFail REASON
 * Raw TYPE x'00ff'
 * </pre>
 */
@NullMarked
package io.multimed.testkit.conversation;

import org.jspecify.annotations.NullMarked;
