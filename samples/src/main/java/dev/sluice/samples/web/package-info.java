/**
 * A web server in the manner of JAWS: HTTP/1.1 for the files below a directory. What a request means is
 * {@link dev.sluice.samples.web.protocol}, what a file is {@link dev.sluice.samples.web.files}; here is what has a
 * socket.
 *
 * <p>An {@link dev.sluice.samples.web.IoStrategy} decides how octets move. It drives the {@code HttpConnection}, which
 * tells what to do next, holds the {@code Transmission} to send, and knows when its patience ends, but not how anybody
 * waits. The {@code ReactiveHandler} asks the socket itself when a Reactor says that it is ready; the
 * {@code ProactiveHandler} initiates operations and goes on when a Proactor says that they are complete. A further
 * strategy is another driver and another value of the enumeration.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>One reply at a time.</b> Pipelined requests stay unparsed until the reply before theirs has been sent, and
 *     nothing is received meanwhile. So replies are in order by construction, and a client that asks and never reads
 *     costs the server one receive buffer and one head, whatever it asks for. Proactively, where receiving goes on by
 *     itself, it is stopped as soon as more than that is waiting for its turn.
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
 * <li><b>A file goes out in pieces</b>, each a step of its own: others get their turn, and that a piece has gone is the
 *     progress that sending has to make before the deadline.
 * </ul>
 *
 * <p>Of the proactive strategy alone:
 * <ul>
 * <li><b>A connection receives continuously</b>, into buffers that the Proactor provides when something comes, so that
 *     a silent one costs none. None is kept either. What comes before its turn is copied, because the provided buffers
 *     are everybody's, and a few clients that ask without reading could keep all of them.
 * <li><b>Two operations are in flight at most</b>, that receive and one that sends or reads. The connection's state
 *     lives until both have completed, also when it is closed: the kernel may be using its buffers till then.
 * <li><b>A file belongs to the cache, its tie to a Proactor to the loop.</b> Many connections of several loops read one
 *     open file, and it can be tied to each Proactor once; so each loop has a weak map from the entry to the {@code
 *     AsyncFile}. The tie itself ends when the last user closes the file.
 * <li><b>{@code read} costs a buffer for each reply that is not sent yet</b>; the reactive strategy has one for all of
 *     them, because it reads again what the socket has not taken.
 * <li><b>Opening is synchronous</b>, as in the reactive strategy: the lookup also resolves and compares paths, for
 *     which there are no operations.
 * </ul>
 */
package dev.sluice.samples.web;
