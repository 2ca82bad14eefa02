package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * The future result of an operation. A cancellation or a timeout cancels the operation, and the future completes when
 * the operation does, so a result that it has obtained before is not lost. See {@link AsyncHandle}.
 *
 * @param <T> the type of the result
 */
final class OperationFuture<T> extends CompletableFuture<T> implements CompletionHandler {

    /** The ticket of an operation that could not be started. */
    static final long NONE = -1;

    private static final Function<Completion, Void> NOTHING = completion -> null;

    private final Proactor proactor;
    private final Function<Completion, T> value;
    /** Completes the future when the operation has been cancelled because of a timeout. */
    private final AtomicReference<Runnable> outOfTime = new AtomicReference<>();
    private final LongConsumer cancelling;
    private long ticket = NONE;

    /**
     * Creates the future of an operation that is about to be started.
     *
     * @param proactor   the proactor that dispatches the completion
     * @param cancelling cancels the operation by its ticket
     * @param value      returns the result of a successful completion
     */
    OperationFuture(Proactor proactor, LongConsumer cancelling, Function<Completion, T> value) {
        this.proactor = proactor;
        this.cancelling = cancelling;
        this.value = value;
    }

    static OperationFuture<Long> ofBytes(Proactor proactor, LongConsumer cancelling) {
        return new OperationFuture<>(proactor, cancelling, Completion::bytesTransferred);
    }

    static OperationFuture<Void> ofNothing(Proactor proactor, LongConsumer cancelling) {
        return new OperationFuture<>(proactor, cancelling, NOTHING);
    }

    /**
     * Sets the ticket of the operation, which the caller is about to start or has started. It may have completed.
     *
     * @param started the ticket
     * @return this future
     */
    OperationFuture<T> started(long started) {
        ticket = started;
        return this;
    }

    // Called by the dispatching thread

    @Override
    public void handleCompletion(Completion completion) {
        if (completion.isSuccess()) {
            succeeded(value.apply(completion));
        } else if (completion.isCancelled()) {
            cancelled(completion);
        } else {
            completeExceptionally(completion.error());
        }
    }

    private void succeeded(T result) {
        if (!complete(result) && result instanceof Closeable unwanted) {
            // The future was completed by another method, so the program will not close the connection, file or lock.
            try {
                unwanted.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void cancelled(Completion completion) {
        Runnable late = outOfTime.get();
        if (late != null) {
            late.run();
        } else {
            IOException cause = completion.error();
            assert cause != null;
            CancellationException cancelled = new CancellationException(cause.getMessage());
            cancelled.initCause(cause);
            completeExceptionally(cancelled);
        }
    }

    // Called by any thread

    /**
     * Cancels the operation.
     *
     * @return false if it was too late; otherwise this future completes when the operation does
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean tooLate = isDone();
        // Also for a future that was completed by another method, while the operation is still executing.
        cancelling.accept(ticket);
        return !tooLate || isCancelled();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        requireAnotherThread();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        requireAnotherThread();
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        requireAnotherThread();
        return super.join();
    }

    /**
     * Checks that the caller is not in a hook of a single-threaded proactor, where only the caller could complete the
     * operation.
     */
    private void requireAnotherThread() {
        if (!isDone() && proactor.isRunByCallerAlone()) {
            throw new IllegalStateException("a hook of " + proactor + " waits for an operation that only its thread can"
                    + " complete: use whenComplete, or wait on another thread");
        }
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return limit(timeout, unit, () -> completeExceptionally(new TimeoutException()));
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T replacement, long timeout, TimeUnit unit) {
        return limit(timeout, unit, () -> complete(replacement));
    }

    private CompletableFuture<T> limit(long timeout, TimeUnit unit, Runnable late) {
        if (isDone()) {
            return this;
        }
        TimeoutHandler expiry = token -> {
            outOfTime.compareAndSet(null, late);
            cancelling.accept(ticket);
        };
        try {
            Timer timer = proactor.schedule(expiry, null, Duration.ofNanos(Math.max(0, unit.toNanos(timeout))));
            whenComplete((result, cause) -> timer.cancel());
        } catch (IllegalStateException e) {
            if (!isDone()) {
                throw e;
            }
            // The close of the proactor has completed it in the meantime.
        }
        return this;
    }
}
