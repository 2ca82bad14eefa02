/**
 * Which thread goes on with which connection, whatever the protocol. JAWS calls this the concurrency strategy
 * framework; what a {@link dev.sluice.samples.conversation.ConcurrencyStrategy} is given is a {@link
 * dev.sluice.samples.conversation.ServedProtocol}, its protocol handler.
 *
 * <p>What a client and its server have to say to each other is a {@link
 * dev.sluice.samples.conversation.Conversation}, which takes one step after the other and never waits; {@link
 * dev.sluice.samples.conversation.ConnectionThreads} decide who takes them, and wait:
 * <ul>
 * <li>{@link dev.sluice.samples.conversation.ReactorPerThread} lets the thread of the reactor take the steps that has
 *     found the connection ready;
 * <li>{@link dev.sluice.samples.conversation.LeaderFollowersThreads} take turns waiting, and who has found one ready
 *     takes its steps while another one waits, as the {@link dev.sluice.samples.conversation.PoolDesign} has it;
 * <li>{@link dev.sluice.samples.conversation.HalfSyncHalfAsync} has a reactor wait for all connections, and workers
 *     take the steps of those that are ready, by way of a bounded queue;
 * <li>{@link dev.sluice.samples.conversation.ThreadPerRequest} makes a thread instead, for the steps of this time;
 * <li>{@link dev.sluice.samples.conversation.ThreadPerConnection} has a platform thread wait in the kernel for its one
 *     connection, or a virtual thread in Java for the reactor to find it ready;
 * <li>{@link dev.sluice.samples.conversation.ThreadPool} is the same with as many platform threads as one likes, which
 *     accept, too.
 * </ul>
 * Where a Proactor waits there are no conversations, since it is operations that move the octets: the protocol then has
 * a completion handler of its own, and the strategy decides how many threads run how many proactors.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>The conversation says what its asynchronous half does.</b> The Leader/Followers paper's network thread reads
 *     the request before it queues it, into memory that it allocates. So does the conversation of {@link
 *     dev.sluice.samples.compare.protocol}, where that is compared with other strategies. Those of {@link
 *     dev.sluice.samples.oltp.pool} and {@link dev.sluice.samples.web} leave it to the worker, which receives what has
 *     come by the time it gets to it: more at once the busier the server is, and no copy.
 * <li><b>A full queue stops the loop thread.</b> Further clients wait in their own sockets.
 * <li><b>No worker waits for a peer.</b> One that does not take its responses has them sent when it does, by
 *     readiness; only a thread that has no other connection waits for its own.
 * <li><b>A turn may come without a cause in the socket.</b> The stop and the end of patience have to reach a
 *     conversation in whichever thread it may be. So another thread only leaves a mark, and brings about a turn in the
 *     way all turns come: by asking whether something can be sent.
 * <li><b>Closing cuts what is left.</b> An orderly end is asked for before, by {@link
 *     dev.sluice.samples.server.Connections}. A conversation that does not take note of it sees the end of its input:
 *     {@code shutdown(SHUT_RD)} leaves what has been received readable, and then shows the end of the stream, to a
 *     thread in poll(2) as well as to a reactor; so each strategy ends a connection the way it always does.
 * </ul>
 */
package dev.sluice.samples.conversation;
