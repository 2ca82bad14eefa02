package dev.sluice.samples.io;

import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Sends long messages in the order of what is left of them, so that neither short ones nor the ends of long ones wait
 * for all the others. In each iteration of the loop a few steps of long messages begin, and short messages are sent in
 * between without waiting. A step that waits for a peer that reads slowly keeps no other one from beginning.
 *
 * <p>A step that waits ages: its message is treated as if less of it were left, so that shorter ones overtake it only
 * for a time, which is at most {@link #MAX_RANKED} divided by {@link #OCTETS_PER_MILLI}. Messages of which equally much
 * is left, or more than that, take turns.
 *
 * <p>For all threads.
 */
final class SendOrder {

    /** A message of which no more is left ends with its next step, and does not wait, in octets. */
    static final int SHORT = StagedSender.ENOUGH;
    /** A message of which more is left is treated as if this were left, in octets. */
    static final long MAX_RANKED = 4 << 20;
    /** By how much a step that waits gains on those that come later, in octets a millisecond. */
    static final long OCTETS_PER_MILLI = 64 << 10;
    /** Number of steps of long messages that begin in one iteration. */
    static final int STEPS = 4;

    private static final long NANOS_PER_OCTET = 1_000_000 / OCTETS_PER_MILLI;

    private final Executor loop;
    private final LongSupplier clock;
    private final Runnable task = this::beginSteps;
    /** Ranks are compared by their difference: their zero is that of the clock. */
    private final PriorityQueue<SendTurn> waiting = new PriorityQueue<>(
            (one, other) -> Long.signum(one.rank() - other.rank()));
    private boolean posted;

    /**
     * Creates an order in which nothing waits.
     *
     * @param loop runs a task in its next iteration
     */
    SendOrder(Executor loop) {
        this(loop, System::nanoTime);
    }

    /** Creates an order with a clock of nanoseconds. */
    SendOrder(Executor loop, LongSupplier clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /**
     * Asks for a turn, unless the message is short.
     *
     * @param turn of the connection, which does not wait for it yet
     * @param left what is left to send of its message, in octets
     * @return whether the step may begin now; if not, the turn comes later, once
     */
    boolean mayBegin(SendTurn turn, long left) {
        if (left <= SHORT) {
            return true;
        }
        turn.setRank(clock.getAsLong() / NANOS_PER_OCTET + Math.min(left, MAX_RANKED));
        synchronized (this) {
            waiting.add(turn);
            try {
                post();
            } catch (Throwable e) {
                waiting.remove(turn);
                throw e;
            }
        }
        return false;
    }

    /** Under the lock. */
    private void post() {
        if (!posted && !waiting.isEmpty()) {
            loop.execute(task);
            posted = true;
        }
    }

    private void beginSteps() {
        try {
            SendTurn next = poll();
            for (int count = 1; next != null; count++) {
                next.come();
                next = count < STEPS ? poll() : null;
            }
        } finally {
            synchronized (this) {
                posted = false;
                post();
            }
        }
    }

    private synchronized SendTurn poll() {
        return waiting.poll();
    }
}
