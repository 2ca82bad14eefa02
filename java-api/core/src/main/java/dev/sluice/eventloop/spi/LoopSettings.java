package dev.sluice.eventloop.spi;

import dev.sluice.demultiplexer.spi.DemultiplexerSettings;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The settings of a {@link dev.sluice.eventloop.LoopBuilder}.
 *
 * @param demultiplexer the name of the demultiplexer
 * @param multiThreaded whether several threads may run a loop; null if not set
 * @param timers        creates the timer strategy of a loop
 * @param clock         the clock of the timers, in nanoseconds
 * @param waiting       the settings of the demultiplexer
 * @param trace         records the calls of hooks; null if not set
 * @param loops         the number of loops; 0 if not set
 * @param threads       creates the threads of a group; null if not set
 */
public record LoopSettings(String demultiplexer, Boolean multiThreaded, Supplier<TimerQueue> timers,
        LongSupplier clock, DemultiplexerSettings waiting, DispatchTrace trace, int loops, ThreadFactory threads) {

    /**
     * A method that opens a loop or a group.
     *
     * @param <T> the type of the loop or group
     */
    @FunctionalInterface
    public interface Opening<T> {

        /**
         * Opens a loop or a group.
         *
         * @param settings its settings
         * @return the loop or group; the caller closes it
         * @throws IOException if a system call fails
         */
        T open(LoopSettings settings) throws IOException;
    }

    /**
     * {@return these settings, for a single loop}
     *
     * @throws IllegalArgumentException if several loops or a thread factory are set
     */
    public LoopSettings ofOne() {
        if (loops > 1 || threads != null) {
            throw new IllegalArgumentException(
                    "loops and threadFactory belong to a group: use ReactorGroup or ProactorGroup");
        }
        return this;
    }

    /** {@return the trace that records the calls of the hooks of a loop; null for none} */
    public DispatchTrace traceOfLoop() {
        return trace == null ? DispatchTrace.configured() : trace;
    }

    /** {@return these settings with the given demultiplexer, so that all loops of a group have the same one} */
    public LoopSettings on(String chosen) {
        return new LoopSettings(chosen, multiThreaded, timers, clock, waiting, trace, loops, threads);
    }

    /** {@return the settings of each loop of a group, which is single-threaded by default} */
    public LoopSettings inGroup() {
        return new LoopSettings(demultiplexer, multiThreaded == null ? Boolean.FALSE : multiThreaded, timers, clock,
                waiting, trace, 0, null);
    }
}
