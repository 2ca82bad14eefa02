/**
 * Asynchronous sockets and files as stages: the paper's section 4.
 *
 * <p>{@link dev.sluice.stages.io.SocketStages} adds three stages to a graph, which all sockets share: the listen stage
 * accepts connections, the read stage hands packets to the application's queues, the write stage sends packets and
 * makes connections. They run on a {@link dev.sluice.proactor.Proactor}, whose completions take the place of the
 * paper's readiness events. {@link dev.sluice.stages.io.AsyncServerSocket},
 * {@link dev.sluice.stages.io.AsyncClientSocket} and {@link dev.sluice.stages.io.AsyncConnection} are the paper's.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>What belongs to a connection is in a stage's queue once.</b> A hook of the proactor leaves what it has got
 *     with the connection, and puts the connection into the queue unless it is there. So the queues of these stages are
 *     never full, whatever peers do, and the hooks never wait.
 * <li><b>What the application has no room for stays where it is.</b> Bytes wait in the buffers of the proactor, of
 *     which a connection gets no more than a share; then it is not read any more, its peer cannot send any more, and
 *     nobody else is disturbed. When the application's queue is half empty again, the connection is told.
 * <li><b>Thousands of shares are too many.</b> So all connections together keep no more than some buffers. What arrives
 *     beyond that is copied, and the receive is cancelled, which makes it bounded; it is started again once all has
 *     been taken. Stopping all receives instead would cost a system call for each silent connection.
 * <li><b>A packet in a queue is a copy, unless the application wants to borrow.</b> A copy holds none of the
 *     proactor's buffers, so however many wait, others can be read, and nobody has to give anything back. The paper,
 *     too, allocates a buffer for each packet. But a copy costs time for each byte; so an application may be lent the
 *     buffers themselves. The stage gives them back when the handler returns,
 *     so that none is lost if the
 *     handler throws, or if the packet expires or is discarded; and they count among those that may be kept.
 * <li><b>The order is shuffled where the system's is fixed.</b> {@code select} and {@code poll} report sockets by their
 *     number, so the first ones would always come first.
 * <li><b>The outgoing queue of a connection is bounded, and its overrun is an event.</b> The application decides what
 *     becomes of a peer that does not read (5.2.2).
 * <li><b>A file is in its stage's queue once, too,</b> and one thread at a time is concerned with it. So its requests
 *     are performed in order, with or without a proactor, and a file whose completions nobody takes holds up no other.
 * <li><b>What has been accepted for sending is sent before the end.</b> While a connection is sending, the end of that
 *     is announced to the write stage's queue, so the graph is not at rest; and the write stage is stopped last. If the
 *     stop gives up, packets still come to their end, each once, and what was lent for them is given back. Whether the
 *     peer is waited for as well, which may still have to take it from the system, is up to the application: it costs
 *     time with peers that never end.
 * </ul>
 */
package dev.sluice.stages.io;
