package dev.sluice.eventloop;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.eventloop.spi.LoopSettings;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Opens event loops that differ from the default: reactors, proactors, and groups of them. What is not set falls back
 * to its system property, if there is one, and then to the default. For one thread.
 *
 * @param <T> what it opens
 */
@SuppressWarnings("exports") // The constructor is not for programs.
public final class LoopBuilder<T> {

    private final LoopSettings.Opening<T> opening;
    private String demultiplexer = Mechanism.AUTO;
    private Boolean multiThreaded;
    private Supplier<TimerQueue> timers = TimerQueue::heap;
    private DispatchTrace trace;
    private int loops;
    private ThreadFactory threads;

    /**
     * For loops and groups.
     *
     * @param opening opens one
     * @hidden
     */
    public LoopBuilder(LoopSettings.Opening<T> opening) {
        this.opening = opening;
    }

    /**
     * Sets what the loop waits with; {@value Mechanism#AUTO} unless set.
     *
     * @param name as for {@link Mechanism#choose}
     * @return this
     */
    public LoopBuilder<T> demultiplexer(String name) {
        demultiplexer = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets whether many threads may run the loop at once. Unless set they may if the demultiplexer is
     * {@linkplain Mechanism#isConcurrent concurrent}, but not in a group, where each loop has a thread of its own. A
     * loop that one thread runs takes no locks. A proactor on a concurrent demultiplexer may always be run by many.
     *
     * @param many true for many threads, which need a concurrent demultiplexer
     * @return this
     */
    public LoopBuilder<T> multiThreaded(boolean many) {
        multiThreaded = many;
        return this;
    }

    /**
     * Sets the strategy for timers; {@link TimerQueue#heap()} unless set.
     *
     * @param strategy makes an empty queue for each loop, such as {@code TimerQueue::wheel}
     * @return this
     */
    public LoopBuilder<T> timers(Supplier<TimerQueue> strategy) {
        timers = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    /**
     * Sets what records the calls of hooks; {@link DispatchTrace#configured()} unless set.
     *
     * @param recording of one loop alone
     * @return this
     */
    public LoopBuilder<T> trace(DispatchTrace recording) {
        trace = Objects.requireNonNull(recording, "recording");
        return this;
    }

    /**
     * Sets the number of loops of a group; that of the processors unless set.
     *
     * @param count at least 1
     * @return this
     */
    public LoopBuilder<T> loops(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("loops: " + count);
        }
        loops = count;
        return this;
    }

    /**
     * Sets what makes the threads of a group; threads of the platform that keep the process alive unless set.
     *
     * @param factory makes platform threads, since they block in the kernel
     * @return this
     */
    public LoopBuilder<T> threadFactory(ThreadFactory factory) {
        threads = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /**
     * Opens it; may be called again for another one.
     *
     * @return the loop or group; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of the name, the message lists the right
     *                                  ones; if many threads are to run a loop whose demultiplexer lets only one wait;
     *                                  or if a single loop is asked for several loops, or threads
     * @throws IllegalStateException    if the trace belongs to another loop
     * @throws IOException              if the system refuses
     */
    public T open() throws IOException {
        return opening.open(new LoopSettings(demultiplexer, multiThreaded, timers, trace, loops, threads));
    }
}
