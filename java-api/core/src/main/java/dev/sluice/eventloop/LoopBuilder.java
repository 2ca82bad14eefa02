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
 * A builder of event loops with other settings than the default: reactors, proactors, and groups of them. A setting
 * that is not set has the value of its system property, if there is one, or else its default. Not thread-safe.
 *
 * @param <T> the type of the loop or group
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
     * Creates a builder; for loops and groups.
     *
     * @param opening opens a loop or a group
     * @hidden
     */
    public LoopBuilder(LoopSettings.Opening<T> opening) {
        this.opening = opening;
    }

    /**
     * Sets the demultiplexer. The default is {@value Mechanism#AUTO}.
     *
     * @param name the name, as for {@link Mechanism#choose}
     * @return this builder
     */
    public LoopBuilder<T> demultiplexer(String name) {
        demultiplexer = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the native binding. The default is that of the property {@code sluice.native}, or else the best one. A
     * process has one binding, because a handle does not belong to a loop when it is opened, but already has a binding.
     * So this selects the binding only if no handle or loop has been opened yet.
     *
     * @param name the name, such as {@code ffm} or {@code jna}
     * @return this builder
     */
    public LoopBuilder<T> binding(String name) {
        binding = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets whether several threads may run the loop concurrently. The default is true if the demultiplexer is
     * {@linkplain Mechanism#isConcurrent concurrent}, but false in a group, where each loop has a thread of its own. A
     * single-threaded loop takes no locks. A proactor on a multi-threaded demultiplexer may always be run by several
     * threads.
     *
     * @param enabled true for several threads, which requires a concurrent demultiplexer
     * @return this builder
     */
    public LoopBuilder<T> multiThreaded(boolean enabled) {
        multiThreaded = enabled;
        return this;
    }

    /**
     * Sets the timer strategy. The default is {@link TimerQueue#heap()}.
     *
     * @param strategy creates an empty queue for each loop, such as {@code TimerQueue::wheel}
     * @return this builder
     */
    public LoopBuilder<T> timers(Supplier<TimerQueue> strategy) {
        timers = Objects.requireNonNull(strategy, "strategy");
        return this;
    }

    /**
     * Sets the clock of timers and timeouts. The default is {@link System#nanoTime}. A test can set a clock that it
     * advances itself. A waiting loop reads the clock when the wait has ended: at the latest after the real time until
     * the earliest timer, and immediately after {@link EventLoop#execute}. A periodic timer expires once per iteration,
     * however far the clock was advanced. So for an idle timeout, which is checked at each quarter of its time, the
     * clock must be advanced in such steps.
     *
     * @param nanos returns the current time in nanoseconds, which never decreases; called by all threads that use
     *              timers
     * @return this builder
     */
    public LoopBuilder<T> clock(LongSupplier nanos) {
        clock = Objects.requireNonNull(nanos, "nanos");
        return this;
    }

    /**
     * Sets the buffers into which connections receive. A proactor has provided buffers, allocated as they are needed:
     * by default at most 1,024 of 16 KiB, and in addition the same amount of memory in large buffers of 16 times the
     * size, for connections that receive much. There are no large buffers if the count is below 64 or the size above 64
     * KiB. A reactor has one buffer for each thread, by default of 256 KiB.
     *
     * @param count the maximum number, 1 to 32,768, rounded up to a power of two; 1 for a reactor
     * @param size  the size of each in bytes, at least 1
     * @return this builder
     * @throws IllegalArgumentException if a value is out of range
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
     * Sets the number of provided buffers of a proactor that one connection may retain before its input pauses. Large
     * buffers count 16 times. The default is that of the property {@code sluice.provided-buffers.most-kept}, or else
     * one eighth of the buffers.
     *
     * @param count the number, from 1 to the number of buffers; with all of them, one connection can pause the input of
     *              all others
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public LoopBuilder<T> retainLimit(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("retainLimit: " + count + "; need at least 1");
        }
        retainLimit = count;
        return this;
    }

    /**
     * Sets the trace that records the calls of hooks. The default is {@link DispatchTrace#configured()}.
     *
     * @param recording the trace, which only this loop uses
     * @return this builder
     */
    public LoopBuilder<T> trace(DispatchTrace recording) {
        trace = Objects.requireNonNull(recording, "recording");
        return this;
    }

    /**
     * Sets the number of loops of a group. The default is the number of processors.
     *
     * @param count the number, at least 1
     * @return this builder
     */
    public LoopBuilder<T> loops(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("loops: " + count + "; need at least 1");
        }
        loops = count;
        return this;
    }

    /**
     * Sets the factory of a group's threads. By default they are platform threads that are not daemons.
     *
     * @param factory creates platform threads, since they block in the kernel
     * @return this builder
     */
    public LoopBuilder<T> threadFactory(ThreadFactory factory) {
        threads = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /**
     * Opens a loop or group with these settings. May be called several times.
     *
     * @return the loop or group; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of the name (the message lists the usable
     *                                  ones); if the loop is to be multi-threaded and the demultiplexer is not
     *                                  concurrent; if {@code loops} or {@code threadFactory} is set for a single loop;
     *                                  if several buffers or a retain limit are set for a reactor; or if the retain
     *                                  limit of a proactor exceeds its buffers
     * @throws IllegalStateException    if the trace belongs to another loop, or the process uses another binding than
     *                                  the one set
     * @throws IOException              if a system call fails
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
