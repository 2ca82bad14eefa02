/**
 * Timer queues, the Reactor paper's "Integrated Demultiplexing of Timer and I/O Events".
 *
 * <p>Only one thread at a time uses a queue: the thread that runs the event loop, or one of several under a lock. A
 * queue does not depend on event loops: it orders {@link dev.sluice.timer.Timer}s by deadline and returns those that
 * are due. The strategies have different advantages: a {@linkplain dev.sluice.timer.TimerQueue#heap() heap} is exact
 * and takes O(log n); a {@linkplain dev.sluice.timer.TimerQueue#wheel() timing wheel} takes O(1), which suits timers
 * that are usually cancelled, such as idle timeouts, and is late by up to a tick. No timer expires early.
 */
@NullMarked
package dev.sluice.timer;

import org.jspecify.annotations.NullMarked;
