/**
 * How the connections of an OLTP server get their threads. What is done for a connection is a {@link
 * dev.sluice.samples.oltp.pool.Service}, which may block; a {@link dev.sluice.samples.oltp.pool.PoolModel} decides
 * which thread that blocks.
 *
 * <p>One reactor accepts and hears signals in every model. A {@code Conversation} moves octets between a socket and its
 * service, and is driven by one thread at a time: by a {@code ReadinessHandler} whenever the reactor finds the socket
 * ready, on the loop thread or on another one, by a {@code PooledConnection} in a thread of a leader/followers pool, or
 * by a {@code ConnectionThread} that waits in the kernel itself. A further model is another value of the enumeration.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A connection in the queue is deactivated.</b> Of the half-sync/half-async queue's elements no two are of the
 *     same connection, so replies are in the order of their requests, and a service needs no lock.
 * <li><b>The worker receives and sends.</b> The paper's network thread reads the request before it queues it; here the
 *     queue holds connections, and the worker receives what has come by the time it gets to it: more at once the busier
 *     the server is, and no copy.
 * <li><b>A full queue stops the loop thread.</b> Clients that nobody has time for wait in their own sockets.
 * <li><b>Virtual threads wait in Java</b>, each for the reactor to find its connection ready: one that waited in the
 *     kernel would hold its carrier meanwhile.
 * <li><b>The leader/followers pool may be joined from within.</b> A service that waits for another server registers
 *     that connection with the same pool ({@link dev.sluice.samples.oltp.pool.ServiceFactory#servedBy}) and waits by
 *     joining it: so the pool has always a thread that waits for all handles, and however many of its threads wait for
 *     a reply, it is received. {@code Nesting} limits what such a thread takes on meanwhile. Where no service does so
 *     the pool is unbound: the thread that has waited shortest is promoted, and on a concurrent handle set none is.
 * <li><b>A turn is short.</b> A connection that has been served for a tenth of a second, and has more to be served,
 *     gets another {@link dev.sluice.samples.oltp.pool.Turn} after the others: it asks to be told that it can send,
 *     which is so at once.
 * <li><b>INFO tells the same of every model</b>: the section Pool has the number of threads, how many of these are
 *     busy with a service, if only to wait, and how many turns services have had. To that comes what the model alone
 *     has: who leads, processes and follows, or how many connections are queued. The figures are of about one moment.
 * <li><b>A client may be silent for as long as it likes</b>, as with Redis: those that keep connections for later would
 *     have to open them again. It keeps its socket, two buffers and at most one request that is not complete; replies
 *     that it does not read keep the server from reading more. No thread that serves others waits for it, only its own
 *     where it has one. A client whose machine is gone is found by TCP's keep-alive, in the system's time. When the
 *     descriptors are used up, further clients wait to be accepted.
 * <li><b>The end of a server is the end of its connections' input.</b> {@code shutdown(SHUT_RD)} leaves what has been
 *     received readable, and then shows the end of the stream, to a thread in poll(2) as well as to a reactor; so each
 *     model ends a connection the way it always does.
 * </ul>
 */
package dev.sluice.samples.oltp.pool;
