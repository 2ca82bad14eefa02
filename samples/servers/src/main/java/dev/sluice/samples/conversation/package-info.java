/**
 * Decides which thread serves which connection, for any protocol: JAWS' concurrency strategy framework. A {@link
 * dev.sluice.samples.conversation.ConcurrencyStrategy} serves a {@link dev.sluice.samples.conversation.ServedProtocol},
 * JAWS' protocol handler.
 *
 * <p>The exchange between a client and its server is a {@link dev.sluice.samples.conversation.Conversation}, which
 * proceeds in steps and never blocks; {@link dev.sluice.samples.conversation.ConnectionThreads} wait, and decide which
 * thread takes the steps:
 * <ul>
 * <li>{@link dev.sluice.samples.conversation.ReactorPerThread} : the thread of the reactor that has found the
 * connection ready takes the steps;
 * <li>{@link dev.sluice.samples.conversation.LeaderFollowersThreads} take turns waiting, and the thread that has found
 * a connection ready takes its steps while another one waits, according to the {@link
 * dev.sluice.samples.conversation.PoolDesign};
 * <li>{@link dev.sluice.samples.conversation.HalfSyncHalfAsync} : a reactor waits for all connections, and workers take
 * the steps of ready ones from a bounded queue;
 * <li>{@link dev.sluice.samples.conversation.ThreadPerRequest} starts a thread instead, for the steps of one request;
 * <li>{@link dev.sluice.samples.conversation.ThreadPerConnection} : a platform thread waits in the kernel for its one
 * connection, or a virtual thread in Java until the reactor has found it ready;
 * <li>{@link dev.sluice.samples.conversation.ThreadPool} does the same with a fixed number of platform threads, which
 * also accept.
 * </ul> On a Proactor there are no conversations, since operations move the octets: the protocol then has a completion
 * handler of its own, and the strategy determines the number of proactors and of their threads.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>The conversation decides what its asynchronous half does.</b> The Leader/Followers paper's network thread
 *     reads the request before it queues it, into memory that it allocates. So does the conversation of {@link
 *     dev.sluice.samples.compare.protocol}, where that is compared with other strategies. Those of {@link
 *     dev.sluice.samples.oltp.pool} and {@link dev.sluice.samples.web} leave it to the worker, which receives
 *     everything that has arrived when it serves the connection: more at once the busier the server is, and without a
 *     copy.
 * <li><b>A full queue stops the loop thread.</b> Requests of further clients wait in the sockets.
 * <li><b>No worker waits for a peer.</b> Responses of a peer that does not read are sent later, when its socket is
 * writable; only a thread that has no other connection waits for its own.
 * <li><b>A quantum may run without an event of the socket.</b> A stop or a timeout has to reach a conversation in any
 * thread. So another thread only sets a flag, and causes a quantum in the usual way: by waiting until the socket is
 * writable.
 * <li><b>Closing ends the remaining connections.</b> An orderly end is requested before, by {@link
 *     dev.sluice.samples.server.Connections}. A conversation that does not handle the request sees the end of its
 *     input: {@code shutdown(SHUT_RD)} leaves what has been received readable, and then shows the end of the stream, to
 *     a thread in poll(2) as well as to a reactor; so each strategy ends a connection in its usual way.
 * </ul>
 */
package dev.sluice.samples.conversation;
