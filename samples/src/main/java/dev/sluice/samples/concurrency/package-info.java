/**
 * The same service under every concurrency model, to compare Leader/Followers with its rivals: a single reactor, a
 * reactor per thread, Half-Sync/Half-Async, a thread per connection (a platform thread or a virtual one), a proactor
 * per thread, and the concurrent Proactor: one that all threads run, where the demultiplexer lets many wait.
 *
 * <p>A service is a {@link dev.sluice.samples.concurrency.RequestHandler}; the models differ in which thread calls it
 * and how the bytes come to that thread. Requests and responses travel as frames: four bytes of length, then the
 * content. Where readiness drives it, a {@code FramedConversation} moves them, the same in each model, which takes its
 * threads from {@link dev.sluice.samples.conversation}, as the other servers do.
 */
package dev.sluice.samples.concurrency;
