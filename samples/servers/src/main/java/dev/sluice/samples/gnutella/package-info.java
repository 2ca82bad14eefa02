/**
 * The packet router for Gnutella of the SEDA paper (5.2): three stages on top of the asynchronous sockets.
 *
 * <ul>
 * <li>{@code GnutellaServer} accepts connections, performs the handshake, decodes messages, and drops those that no
 * router may forward. It knows protocols, not routes.
 * <li>{@code GnutellaRouter} forwards broadcasts to all neighbours except their sender, and replies along the reverse
 *     path of their requests. It has the tables, and no other stage accesses them. It may have several threads: the
 *     tables and outgoing queues are made for that, and it has no other state.
 * <li>{@code GnutellaCatcher} maintains some connections to the network, to given hosts and to announced ones.
 * </ul>
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>Overload fills the queue of the router,</b> since the router does the most expensive work. The reaction is an
 * {@code OverloadPolicy}: those of the paper, and credits.
 * <li><b>Backpressure blocks the server's thread,</b> for which only sockets wait: the router never waits for the
 *     server, so there is no deadlock.
 * <li><b>A batch is a packet.</b> The messages for a neighbour from one batch of the router are sent together: a send
 *     for each message of 32 bytes would be most of the work.
 * <li><b>A neighbour that does not read is closed,</b> as in the paper, and gets the reason if it accepts one, but not
 *     as soon as its outgoing queue is full: otherwise each neighbour that is only slower than the senders would be
 *     closed, too. The router waits for those that take something, for a second at most in each batch, so that its own
 *     queue fills, and those who send have to wait. For one that takes nothing it does not wait, since all others
 *     would; messages for that one are dropped, until it catches up or has been behind for five seconds. So its queued
 *     output is bounded, and no other neighbour is delayed.
 * <li><b>A route is a number.</b> Tables refer to neighbours by numbers that are never used again, so that they keep
 *     nothing of those that have left.
 * </ul>
 */
package dev.sluice.samples.gnutella;
