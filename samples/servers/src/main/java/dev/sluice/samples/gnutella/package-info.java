/**
 * The packet router for Gnutella of the SEDA paper (5.2): three stages on top of the asynchronous sockets.
 *
 * <ul>
 * <li>{@code GnutellaServer} accepts connections, greets, cuts what comes into messages, and keeps out those that no
 *     router may send on. It knows protocols and no routes.
 * <li>{@code GnutellaRouter} sends broadcasts to all neighbours but the one they have come from, and replies back the
 *     way of what they reply to. It has the tables, and nobody else touches them. It may have several threads: the
 *     tables and outgoing queues are made for that, and it has no other state.
 * <li>{@code GnutellaCatcher} keeps up some connections to the network, from hosts that were given and hosts that
 *     others tell of.
 * </ul>
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>The queue of the router is where overload shows,</b> since the router does what costs most. What is done about
 *     it is an {@code OverloadPolicy}: those that the paper names, but for a rate controller, and credits.
 * <li><b>Backpressure waits in the server's thread,</b> which nobody waits for but sockets: the router never waits for
 *     the server, so they cannot wait for each other.
 * <li><b>A batch is a packet.</b> What a turn of the router has for a neighbour leaves in one piece: a send for each
 *     message of 32 bytes would be most of the work.
 * <li><b>A neighbour that does not read is closed,</b> as in the paper, and told why if it wants to know, but not
 *     at once when its outgoing queue is full: then everybody who only is slower than those who send would be
 *     closed, too. The router waits for those that take something, for a second at most in each batch, so that its
 *     own queue fills, and those who send have to wait. For one that takes nothing it does not wait, since all
 *     others would; messages for that one are dropped, until it catches up or has been behind for five seconds. So
 *     what waits for it is bounded, and nobody else is held up.
 * <li><b>A route is a number.</b> Tables refer to neighbours by numbers that are never used again, so that they keep
 *     nothing of those that have left.
 * </ul>
 */
package dev.sluice.samples.gnutella;
