package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.eventloop.spi.EventBatch;
import dev.sluice.eventloop.spi.LoopSettings;
import dev.sluice.eventloop.spi.SingletonLoop;
import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.Failures;
import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's Proactor: waits for the completion of asynchronous operations and dispatches their results to completion
 * handlers, together with timers, signals and tasks.
 *
 * <p>On a single-threaded demultiplexer the first thread that runs the loop stays the loop thread, because some systems
 * bind operations to the thread that submits them; when that thread ends, its operations are cancelled. A process may
 * have several proactors.
 *
 * <p>The methods that take a {@link dev.sluice.handle.DirectoryHandle} change names in an open directory, and look them
 * up there. On io_uring the system executes these operations; elsewhere, and where a file system refuses them with
 * {@code EOPNOTSUPP}, a thread of a pool does. They hold the directory open until the completion, are executed in no
 * particular order, and are not cancelled any more once they are being executed.
 *
 * <p>A hook may run the loop itself, which then dispatches the completions of all other handles. Those of the hook's
 * own handle are deferred until it has returned, in order, on all mechanisms. So a hook must not run the loop to wait
 * for another operation on its own handle: it would never return, unless its handler is
 * {@linkplain CompletionHandler#isReentrant() re-entrant} and the loop is single-threaded. Completions of operations
 * without a handle, such as {@link #post} or {@link #timeout}, are never deferred.
 *
 * <p>On a {@linkplain Mechanism#isConcurrent multi-threaded} one this is the paper's variant "Concurrent Asynchronous
 * Event Demultiplexer": any number of threads may run the loop concurrently, each dispatching different completions.
 * The hooks of one handle are still called sequentially, in the order of the completions, and the effects of each are
 * visible to the next. So a handler with one handle, whose state only the hooks of that handle access, needs no lock,
 * and runs unchanged. Other handlers need a lock: those of several handles, and those that share state with timers,
 * signals, tasks or other threads, since all of these may run concurrently. In addition:
 * <ul>
 * <li>The hook for the first completion of a new handle may be called before the method that started the operation
 * returns. So a handler should not be accessed outside of its hooks after that call.
 * <li>Until a hook has returned, no other thread gets further completions of its handle.
 * <li>Operations without a handle, such as {@link #post} or opening a file, complete in any order and concurrently.
 * </ul>
 *
 * <p>After a failed wait, which closes the proactor, operations in flight complete as cancelled. On io_uring the system
 * may still be executing some of them: this is logged, and their buffers must not be used again.
 */
@SuppressWarnings("exports") // Types in overridden methods are not exported.
public final class Proactor extends FileBuffers {

    private static final Logger LOG = LoggerFactory.getLogger(Proactor.class);
    private static final SingletonLoop<Proactor> INSTANCE = new SingletonLoop<>(builder());

    /** Maximum number of failed waits of a close for the operations in flight. */
    private static final int MAX_FAILURES = 16;

    private final CompletionBatches batches;
    private final CloseSteps disposal;
    private final OutOfMemoryRetry retry = new OutOfMemoryRetry();
    /** The check of received buffers; null if it is off. */
    final @Nullable BufferCheck check = BufferCheck.configured();

    /**
     * Creates a proactor of its parts, which it owns from now on, unless this throws.
     *
     * @param demultiplexer the demultiplexer
     * @param timers        the timer strategy, empty
     * @param clock         the clock of the timers, in nanoseconds
     * @param trace         records the calls of its hooks; null for none
     * @throws IllegalStateException if the trace belongs to another loop
     */
    Proactor(AsynchronousEventDemultiplexer demultiplexer, TimerQueue timers, LongSupplier clock,
            @Nullable DispatchTrace trace) {
        super(demultiplexer, timers, clock,
                demultiplexer.isMultiThreaded() ? ThreadingModel.MULTI_THREADED : ThreadingModel.CONFINED, trace);
        this.batches = new CompletionBatches(demultiplexer, demultiplexer.isMultiThreaded(), trace);
        this.disposal = new CloseSteps(batches::close, check == null ? () -> { } : check::close,
                new RemainingCompletions(demultiplexer)::close);
    }

    /**
     * {@return a new proactor on the best demultiplexer of this system; the caller closes it} Timers are in a heap.
     *
     * @throws IOException if a system call fails
     */
    @CheckReturnValue
    public static Proactor open() throws IOException {
        return open(Mechanism.AUTO);
    }

    /**
     * {@return a new proactor on the given demultiplexer; the caller closes it} Timers are in a heap.
     *
     * @param demultiplexer the name, as for {@link Mechanism#choose}
     * @throws IllegalArgumentException if there is no usable demultiplexer of this name; the message lists the usable
     *                                  ones
     * @throws IOException              if a system call fails
     */
    @CheckReturnValue
    public static Proactor open(String demultiplexer) throws IOException {
        return builder().demultiplexer(demultiplexer).open();
    }

    @CheckReturnValue
    static Proactor open(LoopSettings settings) throws IOException {
        Mechanism mechanism = Mechanism.choose(settings.demultiplexer(), Mechanism.Mode.ASYNCHRONOUS);
        if (Boolean.TRUE.equals(settings.multiThreaded()) && !mechanism.isConcurrent()) {
            throw new IllegalArgumentException(mechanism.name()
                    + " is a single-threaded demultiplexer and cannot be used by several threads");
        }
        AsynchronousEventDemultiplexer opened = DemultiplexerFactory.of(mechanism)
                .openAsynchronous(settings.waiting());
        try {
            return new Proactor(opened, settings.timers().get(), settings.clock(), settings.traceOfLoop());
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    /** {@return a builder of proactors with other settings than the default} */
    @CheckReturnValue
    public static LoopBuilder<Proactor> builder() {
        return new LoopBuilder<>(settings -> open(settings.ofOne()));
    }

    /**
     * {@return the proactor of the process, for programs that need only one; opened at the first call, and again at the
     * first call after it has been closed} On a single-threaded demultiplexer it belongs to the first thread to run it.
     *
     * @throws UncheckedIOException if it cannot be opened; a later call tries again
     */
    public static Proactor instance() {
        return INSTANCE.get();
    }

    /** {@return an executor that runs tasks sequentially with the hooks of a new connection} */
    Executor newHookOrder() {
        return demultiplexer.isMultiThreaded() ? new HookOrder(this) : this;
    }

    /** {@return such an executor for a connection that a hook creates, shared with the hook's own connection} */
    Executor hookOrderOfCaller() {
        return demultiplexer.isMultiThreaded() ? HookOrder.ofCaller(this) : this;
    }

    /** {@return whether the caller runs the loop, and no other thread can} */
    boolean isRunByCallerAlone() {
        return isInside() && !demultiplexer.isMultiThreaded();
    }

    /** {@return the name of its demultiplexer, such as {@code io_uring}} */
    public String demultiplexer() {
        return demultiplexer.name();
    }

    /**
     * Opens a file without blocking.
     *
     * @param handler receives the completion
     * @param token   the token of the completion; may be null
     * @param path    the file
     * @param options the options, as for {@link FileHandle#open(Path, OpenOption...)}
     * @return the ticket, for {@link #cancel(long)}
     */
    public long openFile(CompletionHandler handler, @Nullable Object token, Path path, OpenOption... options) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).open(path, options);
        return ticket;
    }

    /** As {@link #openFile(CompletionHandler, Object, Path, OpenOption...)}, with attributes of a new file. */
    public long openFile(CompletionHandler handler, @Nullable Object token, Path path,
            Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        OpenOption[] array = options.toArray(OpenOption[]::new);
        long ticket = claim(handler, token);
        operations.claimed(ticket).open(path, array, attributes);
        return ticket;
    }

    /** {@return a future of the file, which the caller owns; see {@link #openFile} and {@link AsyncHandle}} */
    @CheckReturnValue
    public CompletableFuture<FileHandle> openFileFuture(Path path, OpenOption... options) {
        OperationFuture<FileHandle> future = new OperationFuture<>(this, this::cancel, Completion::file);
        return future.started(openFile(future, null, path, options));
    }

    /** As {@link #openFileFuture(Path, OpenOption...)}, with attributes of a new file. */
    @CheckReturnValue
    public CompletableFuture<FileHandle> openFileFuture(Path path, Set<? extends OpenOption> options,
            FileAttribute<?>... attributes) {
        OperationFuture<FileHandle> future = new OperationFuture<>(this, this::cancel, Completion::file);
        return future.started(openFile(future, null, path, options, attributes));
    }

    /**
     * Connects. The completion has the stream; if the timeout elapses, the operation fails with a
     * {@link java.net.SocketTimeoutException}.
     *
     * @param handler receives the completion
     * @param token   the token of the completion; may be null
     * @param address the address of the peer
     * @param timeout the maximum time to wait; with a duration of centuries only the system's own timeout applies
     * @return the ticket, for {@link #cancel(long)}
     * @throws java.net.UnknownHostException if the address is unresolved: its name is not looked up here
     * @throws IOException                   if the system has no more descriptors
     */
    public long connect(CompletionHandler handler, @Nullable Object token, SocketAddress address, Duration timeout)
            throws IOException {
        return ConnectionAttempt.begin(this, Objects.requireNonNull(handler, "handler"), token, address, timeout);
    }

    /**
     * Connects, as {@link #connect} does.
     *
     * @param address the address of the peer
     * @param timeout the maximum time to wait
     * @return a future of the connection, which the caller owns, see {@link AsyncHandle}; it has already failed if the
     *         address is unresolved, or the system has no more descriptors
     */
    @CheckReturnValue
    public CompletableFuture<SocketStream> connectFuture(SocketAddress address, Duration timeout) {
        OperationFuture<SocketStream> future = new OperationFuture<>(this, this::cancel, Completion::stream);
        try {
            return future.started(connect(future, null, address, timeout));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Adds a completion to the queue, as if an operation had completed.
     *
     * @param handler receives the completion
     * @param token   the token of the completion; may be null
     * @param result  the {@link Completion#result()}, at least 0
     */
    public void post(CompletionHandler handler, @Nullable Object token, long result) {
        operations.claimed(claim(handler, token)).post(result);
    }

    /**
     * Starts an operation that completes after a time. Unlike a timer, it also completes if it is cancelled, or the
     * proactor is closed before. The operating system measures the time, even if the {@linkplain LoopBuilder#clock
     * builder} has set another clock, which {@link #schedule} uses.
     *
     * @param handler receives the completion
     * @param token   the token of the completion; may be null
     * @param time    the time from now; more than 100 years counts as 100 years
     * @return the ticket, for {@link #cancel(long)}
     * @throws IllegalArgumentException if the time is negative
     * @throws IllegalStateException    if the proactor is closed
     */
    public long timeout(CompletionHandler handler, @Nullable Object token, Duration time) {
        long nanos = Timeout.nanos("time", time);
        long ticket = claim(handler, token);
        operations.claimed(ticket).timeout(nanos);
        return ticket;
    }

    /**
     * Requests the cancellation of one operation that was started by this object. It still completes once: as cancelled
     * if it could be stopped, otherwise with its own result, such as a file that has just been opened. A file that the
     * system opens afterwards is closed again. Does nothing if the operation has already completed.
     *
     * @param ticket the ticket returned when it was started; those of an {@link AsyncHandle} are for
     *               {@link AsyncHandle#cancel(long)}
     */
    public void cancel(long ticket) {
        operations.cancel(ticket);
    }

    // The event loop

    @Override
    protected EventBatch newBatch() {
        return batches.newThread();
    }

    @Override
    protected void failed(Object handler, Throwable cause) {
        if (handler instanceof CompletionHandler completionHandler) {
            try {
                completionHandler.handleFailure((Handle) null, cause);
            } catch (Throwable e) {
                HookFailure.logUndelivered(handler, cause, e);
            }
        } else {
            HookFailure.log(LOG, handler, "a timer or signal", cause);
        }
    }

    @Override
    public void wakeUp() {
        demultiplexer.wakeUp();
    }

    @Override
    protected EventBatch beginEnd(@Nullable EventBatch batch) {
        CompletionBatches.OfThread thread = batches.ofEnd(batch);
        demultiplexer.shutdown();
        if (demultiplexer.inFlight() > 0) {
            try {
                collect(thread, 0);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(e.getMessage() + "; operations in flight cannot be cancelled here; the"
                        + " proactor accepts no more. Run the loop once more on its loop thread, or call close() again"
                        + " after that thread has terminated", e);
            } catch (RuntimeException | Error e) {
                // The caller may end the operations. cancelAll() will handle the error, and the demultiplexer must
                // still be closed.
                LOG.debug("error while closing {}", this, e);
            }
        }
        return thread;
    }

    @Override
    protected void cancelAll(@Nullable EventBatch batch) {
        assert batch != null;
        CompletionBatches.OfThread thread = (CompletionBatches.OfThread) batch;
        Throwable failure = null;
        int failures = 0;
        thread.dispatch();
        while ((demultiplexer.inFlight() > 0 || thread.hasRest()) && failures < MAX_FAILURES) {
            try {
                collect(thread, AsynchronousEventDemultiplexer.FOREVER);
                retry.end();
            } catch (OutOfMemoryError e) {
                retry.pauseBeforeRetry(e);
            } catch (StackOverflowError e) {
                // Another close may have more stack.
                throw e;
            } catch (RuntimeException | Error e) {
                // The failure may be temporary, and each operation has a handler that must be notified.
                failure = e;
                failures++;
            }
            thread.dispatch();
        }
        if (failures == MAX_FAILURES || failure != null && !(failure instanceof UncheckedIOException)) {
            Failures.throwFirst(failure);
        }
    }

    private void collect(CompletionBatches.OfThread thread, long timeoutNanos) {
        thread.dispatch();
        try {
            thread.await(timeoutNanos);
        } catch (IOException e) {
            throw new UncheckedIOException(this + " cannot end its operations", e);
        }
    }

    @Override
    protected void dispose() {
        disposal.run();
    }

    /** {@return for example {@code proactor on io_uring}} */
    @Override
    public String toString() {
        return "proactor on " + demultiplexer.name();
    }
}
