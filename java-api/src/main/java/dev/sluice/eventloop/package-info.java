/**
 * The event loop that the Reactor and the Proactor share: which thread may do what, timers, signals of the operating
 * system, tasks of other threads, and an orderly end. What is waited for and dispatched is up to them.
 *
 * <p>Whatever a handler throws ends no loop, and concerns one handle; a loop ends when a wait fails, and is then
 * closed. {@link dev.sluice.eventloop.EventLoop} gives the reasons.
 *
 * <p>Usually a loop belongs to one thread, which owns everything and takes no lock ({@code SoleLoop}). Where many
 * threads may wait at once, many may run the loop at once ({@code SharedLoop}), and then:
 * <ul>
 * <li><b>No thread is special.</b> What only the loop thread would otherwise do, any thread does under a lock. Hooks
 *     are called outside of all locks.
 * <li><b>A wake-up wakes one thread, no matter which.</b> That is all that the systems have in common. So no wake-up
 *     has a meaning of its own: what is to be done can be seen from the state of the loop, and a thread that returns
 *     from a wait, or is about to call hooks, first wakes another one up if there is something that no thread attends
 *     to.
 * <li><b>One of the waiting threads is the timekeeper</b> and limits its wait to the earliest timer, so that an
 *     expiring timer wakes one thread and not all of them.
 * <li><b>Tasks stay in order</b>, so one thread at a time runs them; meanwhile that thread does nothing else for the
 *     loop.
 * <li><b>The last thread out ends the loop.</b> Once a close has been called, no thread may enter.
 * </ul>
 */
package dev.sluice.eventloop;
