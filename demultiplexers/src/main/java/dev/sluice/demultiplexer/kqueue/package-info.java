/**
 * {@code kqueue}: the event queue of macOS and the BSDs, in the kernel. The cost of a wait grows with the number of
 * ready handles, not with the number of registered ones.
 *
 * <p>Each of its three kinds of trigger is a demultiplexer with a name of its own. {@code kqueue} (level-triggered) and
 * {@code kqueue-clear} ({@code EV_CLEAR}, edge-triggered) are iterative sets; {@code kqueue-dispatch}
 * ({@code EV_DISPATCH}, one-shot) is a concurrent set.
 *
 * <p>A handle has a filter for each event that it is registered for, and each filter reports separately; the events
 * that one wait finds for a handle become one entry of the batch. Only macOS and OpenBSD have a filter for urgent data:
 * elsewhere, {@link dev.sluice.demultiplexer.spi.EventType#EXCEPTION} is refused.
 *
 * <p>The kernel takes regular files, but looks at the position of the descriptor: one at the end of its file is not
 * readable, even if it is read at other positions, and what is writable differs from system to system. So files are not
 * registered with the kernel: they are always ready, as with poll(2), by the same emulation as with epoll. A descriptor
 * counts as a file if it has a position and is not a terminal. That includes disks, and devices such as bpf(4), for
 * which poll is the better choice.
 *
 * <p>On Linux it works with libkqueue, which does the same inside the process, over epoll. Where libkqueue differs from
 * a kernel, this code avoids the difference instead of working around it: no filter is added that already exists,
 * filters silenced by {@code EV_DISPATCH} are rearmed with {@code EV_ENABLE}, changes whose errors matter are made
 * without space for events, and filters are deleted before their descriptor is closed. Two things cannot be avoided:
 * libkqueue clears a socket's error when it reports it, so that a refused connection seems to have been made; and with
 * several waiters it may report a handle once more often than it was ready.
 */
@NullMarked
package dev.sluice.demultiplexer.kqueue;

import org.jspecify.annotations.NullMarked;
