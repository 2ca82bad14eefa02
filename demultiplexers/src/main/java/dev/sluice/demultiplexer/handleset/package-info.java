/**
 * What the synchronous demultiplexers share.
 *
 * <p>A handle set is in one of two places, and that decides how it is changed:
 * <ul>
 * <li>in the memory of the process, which passes it to the system for each wait ({@code poll}, {@code select}).
 *     {@link dev.sluice.demultiplexer.handleset.ProcessSetDemultiplexer} lets other threads change it while one of them
 *     waits: they put their changes onto a list, and wake up the waiter to apply them;
 * <li>in the kernel ({@code epoll}, {@code kqueue}, {@code afd}).
 *     {@link dev.sluice.demultiplexer.handleset.KernelSetDemultiplexer} lets each thread make its change immediately,
 *     with a system call, and finds the member that an event is for in a
 *     {@link dev.sluice.demultiplexer.handleset.MemberTable}.
 * </ul>
 *
 * <p>In both cases, the events to wait for on a handle are the state of its
 * {@link dev.sluice.demultiplexer.handleset.Member}, which the mechanism follows, and a
 * {@link dev.sluice.demultiplexer.handleset.HandleSet} contains each handle only once.
 * {@link dev.sluice.demultiplexer.handleset.WakeUp} ends a wait through a descriptor, if the mechanism has no call for
 * that. {@link dev.sluice.demultiplexer.handleset.UseCount} delays what a close frees until the last thread inside has
 * left.
 *
 * <p>Besides the system call, a wait costs two atomic operations of the {@code UseCount} or, if the set is in the
 * memory of the process, one atomic operation and a write with a fence. They keep a second waiter out and delay the
 * close. A loop with one thread ensures both itself, and waits as the owner of the demultiplexer: on {@code epoll}
 * without any atomic operation. The other mechanisms have to know whether a thread waits when another thread changes
 * the set.
 */
@NullMarked
package dev.sluice.demultiplexer.handleset;

import org.jspecify.annotations.NullMarked;
