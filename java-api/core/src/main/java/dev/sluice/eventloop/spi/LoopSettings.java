package dev.sluice.eventloop.spi;

import dev.sluice.demultiplexer.spi.DemultiplexerSettings;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a {@link dev.sluice.eventloop.LoopBuilder} has been given.
 *
 * @param demultiplexer the name of what a loop waits with
 * @param multiThreaded whether many threads may run a loop; null if that has not been said
 * @param timers        makes the strategy for the timers of a loop
 * @param clock         the nanoseconds by which timers expire
 * @param waiting       what has been set for what a loop waits with
 * @param trace         records the calls of hooks; null if that has not been said
 * @param loops         the number of loops, 0 if that has not been said
 * @param threads       makes the threads of a group; null if that has not been said
 */
public record LoopSettings(String demultiplexer, Boolean multiThreaded, Supplier<TimerQueue> timers,
        LongSupplier clock, DemultiplexerSettings waiting, DispatchTrace trace, int loops, ThreadFactory threads) {

    /**
     * Opens a loop or a group.
     *
     * @param <T> which
     */
    @FunctionalInterface
    public interface Opening<T> {

        /**
         * Opens it.
         *
         * @param settings what it is like
         * @return the loop or group; the caller closes it
         * @throws IOException if the system refuses
         */
        T open(LoopSettings settings) throws IOException;
    }

    /**
     * {@return the same} For loops that are none of a group.
     *
     * @throws IllegalArgumentException if several loops, or threads, have been asked for
     */
    public LoopSettings ofOne() {
        if (loops > 1 || threads != null) {
            throw new IllegalArgumentException(
                    "loops and threadFactory belong to a group: use ReactorGroup or ProactorGroup");
        }
        return this;
    }

    /** {@return what records the calls of the hooks of a loop; null for nothing} */
    public DispatchTrace traceOfLoop() {
        return trace == null ? DispatchTrace.configured() : trace;
    }

    /** {@return the same with a demultiplexer that has been chosen, so that each loop of a group has the same one} */
    public LoopSettings on(String chosen) {
        return new LoopSettings(chosen, multiThreaded, timers, clock, waiting, trace, loops, threads);
    }

    /** {@return the settings of each loop of a group, which its thread runs alone} */
    public LoopSettings inGroup() {
        return new LoopSettings(demultiplexer, multiThreaded == null ? Boolean.FALSE : multiThreaded, timers, clock,
                waiting, trace, 0, null);
    }
}
