/**
 * What event loops and the handle sets of pools attend to besides their handles or completions: timers, signals of the
 * operating system, and tasks of other threads. For this library only.
 *
 * <p>The data is the same whether one thread waits or several do; the locks are left out where one does. How threads
 * wait, and which of them dispatches, is up to the loops of {@link dev.sluice.eventloop} and the pools of
 * {@link dev.sluice.leaderfollowers}.
 */
package dev.sluice.dispatch;
