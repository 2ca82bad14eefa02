/**
 * A web server in the manner of JAWS: HTTP/1.1 for the files below a directory. What a request means is
 * {@link dev.sluice.samples.web.protocol}, what a file is {@link dev.sluice.samples.web.files}, and how octets move is
 * {@link dev.sluice.samples.io}; here is what HTTP says about a connection.
 *
 * <p>Replies are made by a {@link dev.sluice.samples.web.protocol.Pipeline}, whose filters {@code --filters} chooses.
 * It belongs to an {@code HttpService}, with all else that requests are answered with, and which {@link
 * dev.sluice.samples.configurator} can replace.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>One reply at a time.</b> Pipelined requests stay unparsed until the reply before theirs has been sent, and
 *     nothing is received meanwhile. So replies are in order by construction, and a client that asks and never reads
 *     costs the server one receive buffer and one head, whatever it asks for, except for the list of a directory, which
 *     is made in memory. Proactively, where receiving goes on by itself, it is stopped as soon as more than that is
 *     waiting for its turn, and such a client is received from in small pieces from then on. As megabytes may come
 *     before the stop, those who are far ahead are cut off once all together take more than an eighth of the heap.
 * <li><b>The server's end of a connection is a half-close.</b> A socket that is closed with octets unread, or to which
 *     more are sent, answers with a reset, which can destroy the last reply on the client's side. So the server ends
 *     its own half, and drops what comes until the client closes too; bounded, in time and amount (RFC 9112 section
 *     9.6). What is idle, stalled, or broken is closed at once, and so is a connection whose client has said that it
 *     sends nothing more, by {@code Connection: close} or HTTP/1.0, and has sent nothing more: to wait for its end
 *     would cost two calls and a wake-up for each such request.
 * <li><b>A request has one deadline, from its first octet to its last.</b> One that was reset with each octet would let
 *     a client hold a connection forever, an octet at a time. Sending has one that is reset, for a slow reader may be
 *     honest: with each step that is over, which proactively may be 256 KiB. One that takes less in that time is ended,
 *     although it takes something.
 * <li><b>A small file is read and sent with its head</b> even where files are transmitted: one segment instead of two
 *     is worth more than the copy.
 * <li><b>What may wait for the disk is not answered by an event loop</b>, where connections have no thread of their own
 *     to wait: a file that is not open or has to be looked at again, a list, the end of a PUT. A few other threads do
 *     that, and the content of a PUT is written by them, too, 64 KiB at a time; the connection waits meanwhile. Its
 *     deadline begins again whenever that much content has come.
 * <li><b>Files that are open are sent by the loop itself.</b> A Proactor's loop does not wait for their content: the
 *     kernel's threads or those of the emulation read and transmit it, but for mapped files, whose pages are read where
 *     they are touched, and a file that the system does not tie to the Proactor. A Reactor's loop waits in {@code
 *     sendfile} or {@code pread} if the system does not have the file in memory: files are never "not ready", and to
 *     hand each piece to another thread would cost those the most that are in memory. JAWS serves files that do not fit
 *     into memory proactively, or with more threads.
 * </ul>
 */
package dev.sluice.samples.web;
