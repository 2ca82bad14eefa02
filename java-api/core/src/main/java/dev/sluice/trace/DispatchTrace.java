package dev.sluice.trace;

import dev.sluice.deadline.Timeout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A trace of the last {@value #CAPACITY} calls of hooks by a loop or a pool: the hook, the handler, the handle, the
 * thread, the time, and the duration. Optionally it reports hooks that do not return in time, while they are still
 * running.
 *
 * <p>A trace belongs to one loop or pool, which is created with it ({@link dev.sluice.eventloop.LoopBuilder#trace}).
 * With {@code -Dsluice.trace=MILLISECONDS}, loops and pools that are created without a trace get one.
 *
 * <p>All methods may be called from any thread. Recording takes no lock and does not allocate, except when a thread
 * calls its first hook. Recorded handlers and handles stay reachable; a thread that reads the trace calls their
 * {@code toString}.
 */
public final class DispatchTrace {

    /**
     * System property that turns on traces for all loops and pools that are created without one. Its value is the time
     * in milliseconds after which a hook is reported; 0 to report none.
     */
    public static final String PROPERTY = "sluice.trace";

    /** Number of calls that a trace contains. */
    public static final int CAPACITY = 1000;

    /** Ticket of a call that runs the loop, which is not recorded. */
    private static final long IN_LOOP = -1;

    private static final Set<DispatchTrace> OPEN = ConcurrentHashMap.newKeySet();

    private final long limitNanos;
    /** The time of the creation, by the wall clock and by {@link System#nanoTime()}. */
    private final Instant made = Instant.now();
    private final long madeNanos = System.nanoTime();
    private final Slot[] slots = new Slot[CAPACITY];
    private final AtomicLong tickets = new AtomicLong();
    private final ThreadLocal<ThreadStack> stack = new ThreadLocal<>();
    private final List<ThreadStack> stacks = new CopyOnWriteArrayList<>();
    private volatile @Nullable Object owner;
    private volatile boolean entered;

    // Guarded by this

    private @Nullable StallWatch watch;
    private boolean closed;

    /** Creates a trace that only records. */
    public DispatchTrace() {
        this(Duration.ZERO);
    }

    /**
     * Creates a trace that also reports each hook that does not return in time, as a warning with the trace and the
     * stack of the thread. Waiting in a loop that the hook runs itself does not count.
     *
     * @param limit the maximum time that a hook may take; zero reports none
     * @throws IllegalArgumentException if it is negative
     */
    public DispatchTrace(Duration limit) {
        limitNanos = Timeout.nanos("limit", limit);
        for (int i = 0; i < CAPACITY; i++) {
            slots[i] = new Slot();
        }
    }

    /**
     * {@return a new trace if {@value #PROPERTY} is set, otherwise null}
     *
     * @throws IllegalArgumentException if the property is not a number of milliseconds, at least 0
     */
    public static @Nullable DispatchTrace configured() {
        String value = System.getProperty(PROPERTY);
        if (value == null) {
            return null;
        }
        try {
            return new DispatchTrace(Duration.ofMillis(Long.parseLong(value)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("-D" + PROPERTY + "=" + value
                    + ": must be a number of milliseconds, 0 or more", e);
        }
    }

    /**
     * Prints the traces of all loops and pools of the process that have been entered and are not closed.
     *
     * @param to the destination
     * @throws IOException if it cannot be printed
     */
    public static void printAll(Appendable to) throws IOException {
        for (DispatchTrace trace : OPEN) {
            to.append(trace.toString());
        }
    }

    // Reading

    /**
     * {@return the recorded calls, oldest first} Calls that are recorded in the meantime may be missing, and one call
     * of each thread that was suspended while it recorded it.
     */
    List<TracedHook> hooks() {
        List<TracedHook> hooks = new ArrayList<>();
        long end = tickets.get();
        for (long ticket = Math.max(0, end - CAPACITY); ticket < end; ticket++) {
            TracedHook hook = slot(ticket).read(ticket, this::instant);
            if (hook != null) {
                hooks.add(hook);
            }
        }
        return hooks;
    }

    /** {@return the recorded calls, one per line, oldest first, after a line with the name of the loop or pool} */
    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder("trace of ").append(TracedHook.name(owner)).append('\n');
        hooks().forEach(hook -> lines.append("  ").append(hook).append('\n'));
        return lines.toString();
    }

    // Recording: for loops, pools, and event sources that call hooks

    /**
     * Binds the trace to a loop or pool.
     *
     * @param loop the loop or pool, whose name is printed
     * @throws IllegalStateException if the trace is bound to another one
     */
    public synchronized void bind(Object loop) {
        if (owner != null && owner != loop) {
            throw new IllegalStateException("the trace belongs to " + TracedHook.name(owner) + " already");
        }
        owner = Objects.requireNonNull(loop, "loop");
    }

    /** Called when a thread enters the loop, possibly in a hook. {@link #leave()} must follow. */
    public void enter() {
        if (!entered) {
            open();
        }
        stack().push(IN_LOOP, null, null, null, System.nanoTime());
    }

    /** Called when the thread leaves the loop. */
    public void leave() {
        stack().pop(System.nanoTime());
    }

    /**
     * Called when a thread is about to call a hook. {@link #end()} must follow, even if the hook throws.
     *
     * @param hook    the name of the method, such as {@code handleInput}
     * @param handler the handler
     * @param handle  the handle that it is called for, or null
     */
    public void begin(String hook, Object handler, @Nullable Object handle) {
        long now = System.nanoTime();
        ThreadStack current = stack();
        long ticket = tickets.getAndIncrement();
        current.push(ticket, hook, handler, handle, now);
        slot(ticket).begin(ticket, hook, handler, handle, now);
    }

    /** Called when the latest hook of the calling thread has returned or thrown. */
    public void end() {
        long now = System.nanoTime();
        ThreadStack.Frame frame = stack().pop(now);
        slot(frame.ticket).end(frame.ticket, now - frame.began);
    }

    /** Called when the loop or pool is closed. Hooks are not watched any more; the trace can still be read. */
    public void close() {
        @Nullable StallWatch watching;
        synchronized (this) {
            closed = true;
            watching = watch;
            watch = null;
        }
        OPEN.remove(this);
        if (watching != null) {
            watching.end();
        }
    }

    private synchronized void open() {
        if (!entered && !closed) {
            if (limitNanos > 0) {
                watch = StallWatch.start(this, limitNanos);
            }
            OPEN.add(this);
        }
        entered = true;
    }

    private Instant instant(long nanoTime) {
        return made.plusNanos(nanoTime - madeNanos);
    }

    private Slot slot(long ticket) {
        return slots[(int) (ticket % CAPACITY)];
    }

    private ThreadStack stack() {
        ThreadStack current = stack.get();
        if (current == null) {
            current = new ThreadStack();
            stacks.removeIf(other -> !other.thread.isAlive());
            stacks.add(current);
            stack.set(current);
        }
        return current;
    }

    @Nullable Object owner() {
        return owner;
    }

    void forEachThread(Consumer<ThreadStack> look) {
        stacks.forEach(look);
    }
}
