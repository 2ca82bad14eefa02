/**
 * The event loop that the Reactor and the Proactor share: whose thread may do what, timers, signals of the operating
 * system, tasks of other threads, and an orderly end. What is waited for and dispatched is up to them.
 *
 * <p>Whatever a handler throws costs that handler; a loop ends by a wait that fails, and is closed then.
 * {@link dev.sluice.eventloop.EventLoop} gives the reasons.
 *
 * <p>Mostly a loop belongs to one thread, which owns everything and takes no lock ({@code SoleLoop}). Where many
 * threads may wait at once, many may run the loop at once ({@code SharedLoop}), and then:
 * <ul>
 * <li><b>No thread is special.</b> What only the loop thread would do, any thread does under a lock. Hooks are called
 *     outside of all locks.
 * <li><b>One thread is woken up, whichever it is.</b> That is all that the systems have in common. So no wake-up has a
 *     meaning of its own: what is to be done can be seen from the state of the loop, and who comes out of a wait, or
 *     goes to call hooks, first wakes another one up if there is something that nobody else attends to.
 * <li><b>One of those who wait is the timekeeper</b> and bounds its wait by the earliest timer, so that a timer that
 *     expires gets one thread up and not all of them.
 * <li><b>Tasks stay in order</b>, so one thread at a time runs them; for the rest of the loop it is missing meanwhile.
 * <li><b>Whoever is the last one out ends the loop.</b> From the close on nobody comes in.
 * </ul>
 */
package dev.sluice.eventloop;
