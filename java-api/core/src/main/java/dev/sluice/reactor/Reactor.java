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
 * The papers' Reactor: waits for indication events on many handles at once and dispatches them to their event handlers,
 * together with timers, signals and tasks.
 *
 * <p>On an iterative set one thread runs the event loop, by {@link #run()} or by calling
 * {@link #runOnce(Duration)} itself; it is the loop thread, and it should be a platform thread, because it blocks
 * in the kernel. All hooks are called by it. Every method may be called from any thread; when a thread other than the
 * loop thread calls one that changes the reactor, the change is queued and made by the loop thread, in order, and its
 * failures go to {@link EventHandler#handleFailure}.
 *
 * <p>On a {@linkplain Mechanism#isConcurrent concurrent} one this is the paper's variant "Concurrent Synchronous Event
 * Demultiplexer": any number of threads may run the loop at once, and each dispatches handles of its own. The hooks of
 * one handle are still called one after the other, and each sees what the previous ones have written. So a handler that
 * has one handle, and is used only by the hooks of that handle, needs no lock, and runs unchanged. Everything else
 * needs a lock: handlers of several handles, and state that timers, signals, tasks and other threads share with hooks,
 * since all of these may run at the same time. Three things to know:
 * <ul>
 * <li>Every change is made at once, by the calling thread, which also gets its failures as exceptions. A hook of a new
 *     registration may be called before the method that has registered it returns, so that should be the last thing
 *     done with a handler outside of its hooks.
 * <li>A registration that ends while another thread is calling one of its hooks ends at once: no further hook is
 *     called, except that {@link EventHandler#handleClose} is, by that thread, when the hook has returned. If no hook
 *     is being called, the thread that ends the registration calls {@link EventHandler#handleClose} before the method
 *     returns: so does a thread that closes the handle. When the reactor is closed, a thread outside of the loop that
 *     is ending a registration at that moment may still be calling it.
 * <li>A thread takes one ready handle at a time.
 * </ul>
 * A concurrent set can also be used as an iterative one, with a loop thread that takes no locks.
 *
 * <p>What {@link EventHandler#handleClose} registers while the reactor is being closed ends as well; when as many
 * registrations have ended as there were at first, no more are accepted.
 *
 * <p>A hook may run the loop itself, which then serves all other handles. The handle that the hook was called for is
 * not served until it returns, neither for the same event nor for another, nor by another handler that has been
 * registered for the handle in the meantime; events that are ready by then are dispatched next. That is so on every
 * mechanism. So a hook must not run the loop until its own handle has another event: it would never return. A handler
 * whose hooks are {@linkplain EventHandler#isReentrant() re-entrant} may do so where one thread runs the loop.
 */
@SuppressWarnings("exports") // What it overrides is not for programs.
public final class Reactor extends EventLoop implements Dispatcher {

    private static final SingletonLoop<Reactor> INSTANCE = new SingletonLoop<>(builder());

    /** Maximum number of handles that a loop thread takes at a time. */
    private static final int BATCH = 512;
    /**
     * Maximum number of handles that one of many threads takes at a time. What it takes waits for its earlier hooks,
     * however many threads are idle; and a waiter with space for more than one could not tell whether it has used up a
     * wake-up.
     */
    private static final int SHARED_BATCH = 1;

    final SynchronousEventDemultiplexer demultiplexer;
    /** Whether many threads may run it: then every thread may use the table. */
    private final boolean shared;
    private final int receiveSize;
    private final HandlerTable table;

    /**
     * Creates a reactor of its parts, which it owns from now on, unless this throws.
     *
     * @param demultiplexer to wait with
     * @param timers        the strategy for its timers, empty
     * @param clock         the nanoseconds by which its timers expire
     * @param kind          whether many threads may run it; iterative to have one loop thread even on a concurrent set
     * @param receiveSize   bytes of the buffer into which connections receive
     * @param trace         records the calls of its hooks; null for none
     * @throws IllegalArgumentException if an iterative set is to be used as a concurrent one
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
     * @throws IOException if the system refuses
     */
    @CheckReturnValue
    public static Reactor open() throws IOException {
        return open(Mechanism.AUTO);
    }

    /**
     * Opens a reactor on a demultiplexer by name, with a {@linkplain TimerQueue#heap() heap of timers}.
     *
     * @param demultiplexer a name as for {@link Mechanism#choose}
     * @return the reactor; the caller closes it
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name; the message lists the right
     *                                  ones
     * @throws IOException              if the system refuses
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

    /** {@return what opens a reactor that differs from the default} */
    @CheckReturnValue
    public static LoopBuilder<Reactor> builder() {
        return new LoopBuilder<>(settings -> open(settings.ofOne()));
    }

    /**
     * {@return the reactor of the process, for programs that need only one; opened at the first call, and again at the
     * first call after it has been closed}
     *
     * @throws java.io.UncheckedIOException if the system refuses to open it; a later call tries again
     */
    public static Reactor instance() {
        return INSTANCE.get();
    }

    /** {@return the name of what it waits with, such as {@code epoll}} */
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
    protected void endAll(@Nullable EventBatch batch) {
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
