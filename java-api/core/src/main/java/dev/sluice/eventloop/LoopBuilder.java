package dev.sluice.eventloop;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.DemultiplexerSettings;
import dev.sluice.eventloop.spi.LoopSettings;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens event loops that differ from the default: reactors, proactors, and groups of them. What is not set falls back
 * to its system property, if there is one, and then to the default. For one thread.
 *
 * @param <T> what it opens
 */
@SuppressWarnings("exports") // The constructor is not for programs.
public final class LoopBuilder<T> {

    private static final int MAX_BUFFERS = 1 << 15;

    private final LoopSettings.Opening<T> opening;
    private String demultiplexer = Mechanism.AUTO;
    private @Nullable String binding;
    private @Nullable Boolean multiThreaded;
    private Supplier<TimerQueue> timers = TimerQueue::heap;
    private LongSupplier clock = System::nanoTime;
    private int buffers;
    private int bufferSize;
    private int retainLimit;
    private @Nullable DispatchTrace trace;
    private int loops;
    private @Nullable ThreadFactory threads;

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
     * Names the binding that makes the system's calls; the property {@code sluice.native} unless set, and otherwise the
     * best one. A process has one binding, since a handle belongs to no loop when it is opened, and takes the binding
     * with it: so this chooses it if no handle or loop has been opened yet.
     *
     * @param name such as {@code ffm} or {@code jna}
     * @return this
     */
    public LoopBuilder<T> binding(String name) {
        binding = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets whether many threads may run the loop at once. Unless set they may if the demultiplexer is
     * {@linkplain Mechanism#isConcurrent concurrent}, but not in a group, where each loop has a thread of its own. A
     * loop that one thread runs takes no locks. A proactor on a multi-threaded demultiplexer may always be run by many.
     *
     * @param many true for many threads, which need a demultiplexer that allows it
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
     * Sets the clock of the timers, and with them of time-outs; {@link System#nanoTime} unless set. A test sets one
     * that it moves itself. A loop that waits looks at a clock that was moved when the wait has ended: at the latest
     * when as many nanoseconds have passed as the earliest timer was away, and at once after
     * {@link EventLoop#execute}. A periodic timer expires once in an iteration, however far the clock was moved; so an
     * idle time-out, which compares at each quarter of its time, needs it to be moved in such steps.
     *
     * @param nanos the current value in nanoseconds, which never decreases; called by all threads that use timers
     * @return this
     */
    public LoopBuilder<T> clock(LongSupplier nanos) {
        clock = Objects.requireNonNull(nanos, "nanos");
        return this;
    }

    /**
     * Sets the memory into which connections receive. A proactor has provided buffers, allocated as they are needed:
     * unless set at most 1,024 of 16 KiB, and beside them the same memory in large ones, which have 16 times the size,
     * for connections that receive much. There are no large ones if the count is below 64, or the size above 64 KiB. A
     * reactor has one buffer for each thread, of 256 KiB unless set.
     *
     * @param count the maximum number, 1 to 32,768, rounded up to a power of two; 1 for a reactor
     * @param size  of each in bytes, at least 1
     * @return this
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public LoopBuilder<T> buffers(int count, int size) {
        if (count < 1 || count > MAX_BUFFERS || size < 1) {
            throw new IllegalArgumentException("buffers: count " + count + ", size " + size + "; need 1 to "
                    + MAX_BUFFERS + " buffers of at least one byte");
        }
        buffers = count;
        bufferSize = size;
        return this;
    }

    /**
     * Sets how many provided buffers of a proactor one connection may have, received and not given back, before its
     * input pauses. Large buffers count 16 times. Unless set, the property {@code sluice.provided-buffers.most-kept}
     * sets it, and otherwise it is one eighth of the buffers.
     *
     * @param count from 1 to the number of buffers; with all of them, one connection can stop the input of all others
     * @return this
     * @throws IllegalArgumentException if it is below 1
     */
    public LoopBuilder<T> retainLimit(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("retainLimit: " + count + "; need at least 1");
        }
        retainLimit = count;
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
            throw new IllegalArgumentException("loops: " + count + "; need at least 1");
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
     *                                  if a single loop is asked for several loops, or a thread factory; or if a
     *                                  reactor is asked for several buffers or a retain limit, or a proactor for a
     *                                  retain limit beyond its buffers
     * @throws IllegalStateException    if the trace belongs to another loop, or the process uses another binding than
     *                                  the one named
     * @throws IOException              if the system refuses
     */
    @CheckReturnValue
    public T open() throws IOException {
        if (binding != null) {
            Bindings.require(binding);
        }
        return opening.open(new LoopSettings(demultiplexer, multiThreaded, timers, clock,
                new DemultiplexerSettings(buffers, bufferSize, retainLimit), trace, loops, threads));
    }
}
