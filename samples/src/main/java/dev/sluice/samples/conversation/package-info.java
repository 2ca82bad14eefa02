/**
 * Which thread goes on with which connection, whatever the protocol: Half-Sync/Half-Async and a thread for each
 * connection, for all servers that have the choice. What a client and its server have to say to each other is a {@link
 * dev.sluice.samples.conversation.Conversation}, which takes one step after the other and never waits; {@link
 * dev.sluice.samples.conversation.ConnectionThreads} decide who takes them, and wait.
 *
 * <p>A reactor accepts, in every model. After that
 * <ul>
 * <li>{@link dev.sluice.samples.conversation.HalfSyncHalfAsync} has it wait for all connections, and workers take the
 *     steps of those that are ready, by way of a bounded queue;
 * <li>{@link dev.sluice.samples.conversation.ThreadPerConnection} has a platform thread wait in the kernel for its one
 *     connection, or a virtual thread in Java for the reactor to find it ready;
 * <li>a {@link dev.sluice.samples.conversation.ReadyConnection} alone lets the loop thread take the steps.
 * </ul>
 * A model of another server is another {@link dev.sluice.samples.conversation.ConversationHandler}.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>The conversation says what its asynchronous half does.</b> The Leader/Followers paper's network thread reads
 *     the request before it queues it, into memory that it allocates. So does the conversation of {@link
 *     dev.sluice.samples.concurrency}, where that is compared with other models. That of {@link
 *     dev.sluice.samples.oltp.pool} leaves it to the worker, which receives what has come by the time it gets to it:
 *     more at once the busier the server is, and no copy.
 * <li><b>A full queue stops the loop thread.</b> Clients that nobody has time for wait in their own sockets.
 * <li><b>No worker waits for a peer.</b> One that does not take its responses has them sent when it does, by
 *     readiness; only a thread that has no other connection waits for its own.
 * <li><b>Closing cuts what is left.</b> An orderly end is asked for before, by {@link
 *     dev.sluice.samples.server.Connections}: it is the end of the connections' input. {@code shutdown(SHUT_RD)} leaves
 *     what has been received readable, and then shows the end of the stream, to a thread in poll(2) as well as to a
 *     reactor; so each model ends a connection the way it always does.
 * </ul>
 */
package dev.sluice.samples.conversation;
