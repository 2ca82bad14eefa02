/**
 * {@code epoll}: the readiness set of Linux, in the kernel, at a cost that grows with what is ready and not with what
 * is registered.
 *
 * <p>It comes with three kinds of trigger, each a demultiplexer with a name of its own. {@code epoll} (level) is an
 * iterative set to its callers, as handlers expect; so is {@code epoll-edge}; {@code epoll-one-shot} is a concurrent
 * set.
 */
package dev.sluice.demultiplexer.epoll;
