/**
 * Sessions without engines: transcripts that state every message on both sides of Multimed.
 *
 * <p>In: a transcript, in which the test is the clients, the engines, the relay and the clock. Out: a failure where the endpoint sent
 * anything else than stated. The endpoint is the one that ships, from the client's channel to the channel of an engine's connection; one
 * thread runs it, over channels without sockets, in time that only the transcript advances. Nothing here knows SQL or decides what an
 * engine would answer: the transcript gives its messages literally.
 *
 * <p>A line of a transcript is one step. A step continues in lines that begin with a space.
 *
 * <pre>
 * client logs in [NAME=VALUE ...]       connects, starts up and reads the greeting; the Master opens a connection if it has to
 * client -> MESSAGE | MESSAGE           sends
 * client begins MESSAGE                sends all of it but its last byte
 * satellite <- MESSAGE | MESSAGE        has received exactly this, next
 * satellite opens                       has received a start-up packet, and greets
 * client <- same                        has received what the latest step has sent
 * client <- closed                      was closed by Multimed
 * satellite closes                      closes the connection
 * client cancels                        sends a CancelRequest on another connection
 * client stops reading, client reads    its socket takes nothing more; takes all again
 * satellite fails, satellite serves     as the node's life cycle would say
 * satellite refuses, satellite accepts  connections
 * satellite applied SCN                 as its feed would say
 * commit SCN                            as the relay would say
 * master shows SCN                      as a snapshot of the Master would say, for which the endpoint has asked
 * schema VERSION                        a commit has changed the schema
 * time 50ms                             passes
 * </pre>
 *
 * <p>Names that begin with {@code master}, {@code satellite} and {@code second} are connections to these engines, in the order in which they
 * were opened: {@code satellite}, {@code satellite-2} and so on. All other names are clients. Before anything new happens, everything that
 * the endpoint has sent must have been stated, and at the end too.
 *
 * <p>Each transcript is played several times: with its inputs whole, in halves, and byte by byte. All must come out the same.
 * The property {@code multimed.transcript.cuts} has them cut behind each byte, too; {@code multimed.transcript.record} prints, instead of a check,
 * the transcript with what the endpoint sends in answer to its inputs.
 */
@NullMarked
package io.multimed.endpoint.pg.transcript;

import org.jspecify.annotations.NullMarked;
