/**
 * What the synchronous demultiplexers share.
 *
 * <p>A handle set is in one of two places, and that decides how it is changed:
 * <ul>
 * <li>in the memory of the process, which passes it to the system for each wait ({@code poll}, {@code select}).
 *     {@link dev.sluice.demultiplexer.handleset.ProcessSetDemultiplexer} lets other threads change it while one of them
 *     waits: they leave their changes, and wake the waiter to apply them;
 * <li>in the kernel ({@code epoll}, {@code kqueue}, {@code afd}).
 *     {@link dev.sluice.demultiplexer.handleset.KernelSetDemultiplexer} lets each thread make its change at once, with
 *     a system call, and finds the member that an event is for in a
 *     {@link dev.sluice.demultiplexer.handleset.MemberTable}.
 * </ul>
 *
 * <p>Either way, what is to be waited for on a handle is the state of its
 * {@link dev.sluice.demultiplexer.handleset.Member}, which the mechanism follows, and a
 * {@link dev.sluice.demultiplexer.handleset.HandleSet} contains each handle only once.
 * {@link dev.sluice.demultiplexer.handleset.WakeUp} ends a wait through a descriptor, where the system has nothing
 * better. {@link dev.sluice.demultiplexer.handleset.UseCount} delays what a close frees until the last thread inside
 * has left.
 *
 * <p>What a wait costs besides the system call: two atomic operations of the {@code UseCount}, or, where the process
 * has the set, one atomic operation and a write with a fence. They keep a second waiter and the close apart from the
 * wait. A loop with one thread keeps both apart itself, and waits as the owner of the demultiplexer: on {@code epoll}
 * without any atomic operation. The other mechanisms have to know whether a thread waits when another one changes the
 * set.
 */
package dev.sluice.demultiplexer.handleset;
