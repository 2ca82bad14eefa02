package dev.sluice.reactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.dispatch.CloseTiming;
import dev.sluice.dispatch.FailedHook;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.dispatch.HandlerTable;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.eventloop.spi.LoopSettings;
import dev.sluice.eventloop.spi.SingletonLoop;
import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The papers' Reactor: waits for indication events on many handles and dispatches them to their event handlers,
 * together with timers, signals and tasks.
 *
 * <p>On an iterative set one thread runs the event loop, by {@link #run()} or by calling {@link #runOnce(Duration)}
 * repeatedly: the loop thread, which should be a platform thread, because it blocks in the kernel. It calls all hooks.
 * All methods may be called from any thread; a change that a thread other than the loop thread requests is queued and
 * made by the loop thread, in order, and its failures are reported to {@link EventHandler#handleFailure}.
 *
 * <p>On a {@linkplain Mechanism#isConcurrent concurrent} set this is the paper's variant "Concurrent Synchronous Event
 * Demultiplexer": any number of threads may run the loop concurrently, each dispatching different handles. The hooks of
 * one handle are still called sequentially, and the effects of each are visible to the next. So a handler with one
 * handle, whose state only the hooks of that handle access, needs no lock, and runs unchanged. Other handlers need a
 * lock: those of several handles, and those that share state with timers, signals, tasks or other threads, since all of
 * these may run concurrently. In addition:
 * <ul>
 * <li>All changes are made immediately, by the calling thread, to which failures are thrown. A hook of a new
 * registration may be called before the method that registers the handle returns, so a handler should not be accessed
 * outside of its hooks after that call.
 * <li>A registration that ends while another thread is calling one of its hooks ends immediately: no further hook is
 * called, except for {@link EventHandler#handleClose}, which that thread calls when the hook has returned. If no hook
 * is being called, the thread that ends the registration or closes the handle calls {@link EventHandler#handleClose}
 * before the method returns. When the reactor is closed, a thread outside of the loop that is ending a registration at
 * that moment may still be calling it.
 * <li>A thread takes one ready handle at a time.
 * </ul>
 * A concurrent set can also be used as an iterative one, with a loop thread that takes no locks.
 *
 * <p>Handles that {@link EventHandler#handleClose} registers while the reactor is being closed are ended as well; after
 * the initial registrations have ended, no more are accepted.
 *
 * <p>A hook may run the loop itself, which then dispatches the events of all other handles. Events of the hook's own
 * handle are not dispatched until it returns, not even to another handler that has been registered for the handle in
 * the meantime; events that are ready by then are dispatched next. This is the same for all mechanisms. So a hook must
 * not run the loop to wait for an event of its own handle, because it would never return. A handler whose hooks are
 * {@linkplain EventHandler#isReentrant() re-entrant} may do so if the loop is single-threaded.
 */
@SuppressWarnings("exports") // Types in overridden methods are not exported.
public final class Reactor extends EventLoop implements Dispatcher {

    private static final SingletonLoop<Reactor> INSTANCE = new SingletonLoop<>(builder());

    /** Maximum number of handles that a loop thread takes at a time. */
    private static final int BATCH = 512;
    /**
     * Maximum number of handles that each of several threads takes at a time. Further handles would wait for the hooks
     * of the first even if other threads are idle, and a thread that waits with space for several handles would not
     * know whether it has consumed a wake-up.
     */
    private static final int SHARED_BATCH = 1;

    final SynchronousEventDemultiplexer demultiplexer;
    /** Whether several threads may run the loop; then any thread may use the table. */
    private final boolean shared;
    private final int receiveSize;
    private final HandlerTable table;

    /**
     * Creates a reactor of its parts, which it owns from now on, unless this throws.
     *
     * @param demultiplexer the demultiplexer
     * @param timers        the timer strategy, empty
     * @param clock         the clock of the timers, in nanoseconds
     * @param kind          whether several threads may run the loop; iterative for one loop thread even on a concurrent
     *                      set
     * @param receiveSize   the size in bytes of the buffer into which connections receive
     * @param trace         records the calls of its hooks; null for none
     * @throws IllegalArgumentException if the kind is concurrent, and the set is iterative
     * @throws IllegalStateException    if the trace belongs to another loop
     */
    Reactor(SynchronousEventDemultiplexer demultiplexer, TimerQueue timers, LongSupplier clock, HandleSetKind kind,
            int receiveSize, @Nullable DispatchTrace trace) {
        super(timers, clock, threads(demultiplexer, kind), trace);
        this.demultiplexer = demultiplexer;
        this.receiveSize = receiveSize;
        this.shared = kind == HandleSetKind.CONCURRENT;
        this.table = new HandlerTable(this, demultiplexer, CloseTiming.IN_HOOK, trace, shared ? null : confinement());
    }

    private static ThreadingModel threads(SynchronousEventDemultiplexer demultiplexer, HandleSetKind kind) {
        if (Objects.requireNonNull(kind, "kind") == HandleSetKind.ITERATIVE) {
            return ThreadingModel.SINGLE_THREADED;
        }
        if (demultiplexer.handleSetKind() == HandleSetKind.ITERATIVE) {
            throw new IllegalArgumentException(demultiplexer.name()
                    + " is an iterative handle set and cannot be used by several threads");
        }
        return ThreadingModel.MULTI_THREADED;
    }

    /**
     * Opens a reactor on the best demultiplexer of this system, with a {@linkplain TimerQueue#heap() heap of timers}.
     *
     * @return the reactor; the caller closes it
     * @throws IOException if a system call fails
     */
    @CheckReturnValue
    public static Reactor open() throws IOException {
        return open(Mechanism.AUTO);
    }

    /**
     * Opens a reactor on a demultiplexer by name, with a {@linkplain TimerQueue#heap() heap of timers}.
     *
     * @param demultiplexer the name, as for {@link Mechanism#choose}
     * @return the reactor; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name; the message lists the usable
     *                                  ones
     * @throws IOException              if a system call fails
     */
    @CheckReturnValue
    public static Reactor open(String demultiplexer) throws IOException {
        return builder().demultiplexer(demultiplexer).open();
    }

    @CheckReturnValue
    static Reactor open(LoopSettings settings) throws IOException {
        Mechanism mechanism = Mechanism.choose(settings.demultiplexer(), Mechanism.Mode.SYNCHRONOUS);
        boolean manyThreads = settings.multiThreaded() == null ? mechanism.isConcurrent() : settings.multiThreaded();
        if (settings.waiting().buffers() > 1 || settings.waiting().retainLimit() > 0) {
            throw new IllegalArgumentException("a reactor receives into one buffer for each thread: use"
                    + " buffers(1, size), and no retainLimit");
        }
        int size = settings.waiting().bufferSize();
        SynchronousEventDemultiplexer opened = DemultiplexerFactory.of(mechanism).openSynchronous(settings.waiting());
        try {
            return new Reactor(opened, settings.timers().get(), settings.clock(),
                    manyThreads ? HandleSetKind.CONCURRENT : HandleSetKind.ITERATIVE,
                    size == 0 ? RECEIVE_SIZE : size, settings.traceOfLoop());
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    /** {@return a builder of reactors with other settings than the default} */
    @CheckReturnValue
    public static LoopBuilder<Reactor> builder() {
        return new LoopBuilder<>(settings -> open(settings.ofOne()));
    }

    /**
     * {@return the reactor of the process, for programs that need only one; opened at the first call, and again at the
     * first call after it has been closed}
     *
     * @throws java.io.UncheckedIOException if it cannot be opened; a later call tries again
     */
    public static Reactor instance() {
        return INSTANCE.get();
    }

    /** {@return the name of its demultiplexer, such as {@code epoll}} */
    public String demultiplexer() {
        return demultiplexer.name();
    }

    // Registration

    @Override
    public Registration register(Handle handle, Interest interest, EventHandler handler) throws IOException {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(interest, "interest");
        Objects.requireNonNull(handler, "handler");
        requireOpen("register");
        StackReserve.requireForCall();
        HandlerEntry entry = new HandlerEntry(table, handle, handler, interest);
        if (confinement().perform(() -> table.register(entry))) {
            return entry;
        }
        if (!enqueue(() -> table.registerForOther(entry))) {
            throw closedException("register");
        }
        return entry;
    }

    @Override
    public int receiveBufferSize() {
        return receiveSize;
    }

    @Override
    public HandlerTable handlerTable() {
        return table;
    }

    // The event loop

    @Override
    protected EventBatch newBatch() {
        return demultiplexer.newReadyBatch(shared ? SHARED_BATCH : BATCH).forLoop(demultiplexer, !shared);
    }

    @Override
    protected void failed(Object handler, Throwable cause) {
        FailedHook.report(handler, cause);
    }

    @Override
    public void wakeUp() {
        demultiplexer.wakeUp();
    }

    @Override
    protected void cancelAll(@Nullable EventBatch batch) {
        table.endAll();
    }

    @Override
    protected void dispose() {
        demultiplexer.close();
    }

    /** {@return for example {@code reactor on epoll}} */
    @Override
    public String toString() {
        return "reactor on " + demultiplexer.name();
    }
}
