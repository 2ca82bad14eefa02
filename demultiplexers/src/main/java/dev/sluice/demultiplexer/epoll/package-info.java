/**
 * {@code epoll}: the handle set of Linux, in the kernel. The cost of a wait grows with the number of ready handles, not
 * with the number of registered ones.
 *
 * <p>Each of its three kinds of trigger is a demultiplexer with a name of its own. {@code epoll} (level-triggered) and
 * {@code epoll-edge} are iterative sets; {@code epoll-one-shot} is a concurrent set.
 */
@NullMarked
package dev.sluice.demultiplexer.epoll;

import org.jspecify.annotations.NullMarked;
