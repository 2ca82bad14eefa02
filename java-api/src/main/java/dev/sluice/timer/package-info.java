/**
 * Timer queues, the Reactor paper's "Integrated Demultiplexing of Timer and I/O Events".
 *
 * <p>Only one thread at a time uses a queue: the one that runs the event loop, or one of many under a lock. It knows
 * nothing of reactors: it keeps {@link dev.sluice.timer.Timer}s by deadline and hands them out when they are due. The
 * strategies have different strengths: {@link dev.sluice.timer.TimerHeap} is exact and costs O(log n);
 * {@link dev.sluice.timer.TimingWheel} costs O(1) for timers that are usually cancelled, such as idle timeouts, and is
 * late by up to a tick. No timer ever expires early.
 */
package dev.sluice.timer;
