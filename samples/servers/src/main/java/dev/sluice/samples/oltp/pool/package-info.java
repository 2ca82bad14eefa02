/**
 * How the connections of an OLTP server get their threads. What is done for a connection is a {@link
 * dev.sluice.samples.oltp.pool.Service}, which may block; a {@link
 * dev.sluice.samples.conversation.ConcurrencyStrategy} decides which thread that blocks.
 *
 * <p>One reactor accepts and hears signals in every model. A {@code ServiceConversation} moves octets between a socket
 * and its service, and is driven by one thread at a time, as {@link dev.sluice.samples.conversation} has it.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>The leader/followers pool may be joined from within.</b> A service that waits for another server registers
 *     that connection with the same pool ({@link dev.sluice.samples.oltp.pool.ServiceFactory#servedBy}) and waits by
 *     joining it: so the pool has always a thread that waits for all handles, and however many of its threads wait for
 *     a reply, it is received. {@code Nesting} limits what such a thread takes on meanwhile. Where no service does so
 *     the pool is unbound: whichever thread is there first is promoted, and on a concurrent handle set none is.
 * <li><b>A turn is short.</b> A connection that has been served for a tenth of a second, and has more to be served,
 *     gets another {@link dev.sluice.samples.oltp.pool.Quantum} after the others: it waits until its socket is
 *     writable, which is so immediately. A thread of its own only yields.
 * <li><b>INFO tells the same of every model</b>: the section Pool has the number of threads, how many of these are
 *     busy with a service, if only to wait, and how many turns services have had. To that comes what the model alone
 *     has: who leads, processes and follows, or how many connections are queued. The figures are of about one moment.
 * <li><b>A client may be silent for as long as it likes</b>, as with Redis: those that keep connections for later would
 *     have to open them again. It keeps its socket, two buffers and at most one request that is not complete; replies
 *     that it does not read keep the server from reading more. No thread that serves others waits for it, only its own
 *     where it has one. A client whose machine is gone is found by TCP's keep-alive, in the system's time. When the
 *     descriptors are used up, further clients wait to be accepted.
 * </ul>
 */
package dev.sluice.samples.oltp.pool;
