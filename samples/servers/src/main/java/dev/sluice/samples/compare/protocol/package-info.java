/**
 * A protocol of negligible cost, so that the concurrency strategy is measured: requests and responses travel as
 * {@linkplain dev.sluice.samples.compare.protocol.Frames frames}, four bytes of length and then the content, and a
 * {@link dev.sluice.samples.compare.protocol.RequestHandler} makes the one of the other.
 *
 * <p>Strategies differ in which thread calls that handler, and how the bytes come to that thread. Where readiness or a
 * thread of its own drives a connection, a {@code FramedConversation} moves them, the same under every strategy; where
 * a Proactor does, a {@code ProactiveSession}.
 */
package dev.sluice.samples.compare.protocol;
