/**
 * {@code kqueue}: the event queue of macOS and the BSDs, in the kernel, at a cost that grows with what is ready and not
 * with what is registered.
 *
 * <p>It comes in three triggers, each a demultiplexer by name. {@code kqueue} (level) is an iterative set to its
 * callers, as its handlers expect; {@code kqueue-clear} ({@code EV_CLEAR}, edge) too; {@code kqueue-dispatch}
 * ({@code EV_DISPATCH}, one-shot) is a concurrent set.
 *
 * <p>A handle has a filter for each of the events that it is registered for, and each filter reports for itself; what
 * one wait finds for a handle becomes one entry of the batch. There is a filter for urgent data on macOS and OpenBSD
 * only: elsewhere, {@link dev.sluice.demultiplexer.EventType#EXCEPTION} is refused. A regular file is readable while
 * its descriptor's own position is before its end.
 *
 * <p>On Linux it works with libkqueue, which does the same in the process, over epoll. What libkqueue does differently
 * from a kernel is avoided rather than worked around: no filter is added that is there already, what
 * {@code EV_DISPATCH} has silenced is told {@code EV_ENABLE}, changes whose errors matter are told without room for
 * events, and filters are deleted before their descriptor is closed. What cannot be avoided: it takes a socket's error
 * away as it reports it, so that a connection that was refused seems to have been made; and with several waiters it may
 * report a handle once more than it was ready.
 */
package dev.sluice.mechanism.kqueue;
