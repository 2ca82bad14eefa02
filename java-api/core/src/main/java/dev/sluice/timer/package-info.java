/**
 * Timer queues, the Reactor paper's "Integrated Demultiplexing of Timer and I/O Events".
 *
 * <p>Only one thread at a time uses a queue: the one that runs the event loop, or one of many under a lock. It knows
 * nothing of reactors: it keeps {@link dev.sluice.timer.Timer}s by deadline and hands them out when they are due. The
 * strategies have different strengths: a {@linkplain dev.sluice.timer.TimerQueue#heap() heap} is exact and costs
 * O(log n); a {@linkplain dev.sluice.timer.TimerQueue#wheel() timing wheel} costs O(1) for timers that are usually
 * cancelled, such as idle timeouts, and is late by up to a tick. No timer ever expires early.
 */
@NullMarked
package dev.sluice.timer;

import org.jspecify.annotations.NullMarked;
