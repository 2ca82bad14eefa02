/**
 * The event loop shared by the Reactor and the Proactor: thread rules, timers, operating system signals, tasks
 * submitted by other threads, shutdown. Subclasses define the events that are waited for and dispatched.
 *
 * <p>An exception thrown by a handler affects one handle and does not end the loop. A loop ends when a wait fails; it
 * is then closed. {@link dev.sluice.eventloop.EventLoop} has the rationale.
 *
 * <p>By default one thread runs the loop, owns its state and takes no lock ({@code SingleThreadedLoop}). If the
 * demultiplexer lets several threads wait, several may run the loop ({@code MultiThreadedLoop}):
 * <ul>
 * <li><b>There is no loop thread.</b> Work that is otherwise reserved for it may be done by any thread, under a lock.
 *     No lock is held while a hook runs.
 * <li><b>A wake-up ends the wait of one unspecified thread</b>; no operating system offers more. The thread reads from
 *     the state of the loop what to do. When a thread returns from a wait, and before it calls hooks, it wakes another
 *     thread if work remains that no thread handles.
 * <li><b>One waiting thread is the timekeeper.</b> Its wait ends at the earliest timer, so an expiring timer wakes one
 *     thread.
 * <li><b>Tasks run in submission order</b>, one thread at a time. That thread does no other work for the loop while it
 *     runs tasks.
 * <li><b>The last thread to leave closes the loop.</b> No thread may enter after {@code close()} has been called.
 * </ul>
 *
 * <p>The events of a thread's waits are in its {@link dev.sluice.eventloop.spi.EventBatch}; a single-threaded loop has
 * one, whichever thread runs it.
 */
@NullMarked
package dev.sluice.eventloop;

import org.jspecify.annotations.NullMarked;
