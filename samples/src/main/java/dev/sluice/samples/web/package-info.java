/**
 * A web server in the manner of JAWS: HTTP/1.1 for the files below a directory. What a request means is
 * {@link dev.sluice.samples.web.protocol}, what a file is {@link dev.sluice.samples.web.files}; here is what has a
 * socket.
 *
 * <p>An {@link dev.sluice.samples.web.IoStrategy} decides how octets move. It drives the {@code HttpConnection}, which
 * tells what to do next, holds the {@code Transmission} to send, and knows when its patience ends, but not how anybody
 * waits. A further strategy is another driver and another value of the enumeration.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>One reply at a time.</b> Pipelined requests stay unparsed until the reply before theirs has been sent, and
 *     nothing is received meanwhile. So replies are in order by construction, and a client that asks and never reads
 *     costs the server one receive buffer and one head, whatever it asks for.
 * <li><b>The server's end of a connection is a half-close.</b> A socket that is closed with octets unread, or to which
 *     more are sent, answers with a reset, which can destroy the last reply on the client's side. So the server ends
 *     its own half, and drops what comes until the client closes too; bounded, in time and amount (RFC 9112 section
 *     9.6). What is idle, stalled, or broken is closed at once.
 * <li><b>One sweep instead of a timer each.</b> Every request would schedule and cancel timers; instead, each loop
 *     looks over the deadlines of all its connections a few times per shortest timeout.
 * <li><b>A request has one deadline, from its first octet to its last.</b> One that began anew with each octet would
 *     let a client hold a connection for ever, an octet at a time. Sending has one that does begin anew, for a slow
 *     reader may be honest.
 * <li><b>A small file is read and sent with its head</b> even where files are transmitted: one segment instead of two
 *     is worth more than the copy.
 * </ul>
 */
package dev.sluice.samples.web;
