/**
 * Asynchronous sockets and files as stages: the paper's section 4.
 *
 * <p>{@link dev.sluice.stages.io.SocketStages} adds three stages to a graph, which all sockets share: the listen stage
 * accepts connections, the read stage puts packets into the application's queues, the write stage sends packets and
 * connects. They run on a {@link dev.sluice.proactor.Proactor}, whose completions take the place of the paper's
 * readiness events. {@link dev.sluice.stages.io.AsyncServerSocket}, {@link dev.sluice.stages.io.AsyncClientSocket} and
 * {@link dev.sluice.stages.io.AsyncConnection} play the paper's classes of these names.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A connection is in a stage's queue at most once.</b> A hook of the proactor stores its result in the
 *     connection, and enqueues the connection unless it is in the queue already. So the queues of these stages are
 *     never full, whatever peers do, and the hooks never wait.
 * <li><b>If the application's queue is full, bytes wait in the proactor's buffers.</b> A connection gets no more than a
 * share of these; beyond that it stops receiving, and its peer cannot send any more, which affects no other connection.
 * When the application's queue is half empty again, the connection is notified.
 * <li><b>The shares of thousands of connections would be too much memory.</b> So all connections together retain a
 *     limited number of buffers. Bytes received beyond that are copied, and the receive is cancelled, which bounds the
 *     copies; it is started again once all of them have been taken. Stopping all receives instead would cost a system
 *     call for each idle connection.
 * <li><b>A packet in a queue is a copy by default.</b> A copy holds none of the proactor's buffers, so pending packets
 *     do not stop other connections from being read, and no handler has to release anything. The paper, too, allocates
 *     a buffer for each packet. But a copy costs time for each byte, so an application may choose to get the buffers
 *     themselves. The stage releases them when the handler returns, so that none is lost if the handler throws, or if
 *     the packet expires or is discarded; and they count as retained buffers.
 * <li><b>The order is shuffled where the system's is fixed.</b> {@code select} and {@code poll} report sockets in the
 * order of their numbers, so the same ones would always be served first.
 * <li><b>The outgoing queue of a connection is bounded, and its overrun is an event.</b> The application decides what
 *     to do with a peer that does not read (5.2.2).
 * <li><b>A file is in its stage's queue at most once, too,</b> and one thread at a time serves it. So its requests are
 *     performed in order, with or without a proactor, and a file whose completions are not taken delays no other one.
 * <li><b>Accepted packets are sent before the end.</b> While a connection is sending, the completion of the send is
 *     announced to the write stage's queue, so the graph is not idle; and the write stage is stopped last. If the
 *     deadline of the stop passes, each packet still gets its event, once, and its buffer is released. The application
 *     decides whether to wait for the peer as well, which may not have received all bytes from the system yet: this
 *     takes until the timeout if the peer never closes its side.
 * </ul>
 */
@NullMarked
package dev.sluice.stages.io;

import org.jspecify.annotations.NullMarked;
