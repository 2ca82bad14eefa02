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
 * The future result of an operation. Cancelling it, or limiting its time, cancels the operation: it completes when the
 * operation does, so nothing that the operation obtained before is lost. {@link AsyncHandle} says more.
 *
 * @param <T> the result
 */
final class OperationFuture<T> extends CompletableFuture<T> implements CompletionHandler {

    /** The ticket of what could not be started. */
    static final long NONE = -1;

    private static final Function<Completion, Void> NOTHING = completion -> null;

    private final Proactor proactor;
    private final Function<Completion, T> value;
    /** Completes it when the operation has been cancelled because its time was over. */
    private final AtomicReference<Runnable> outOfTime = new AtomicReference<>();
    private final LongConsumer cancelling;
    private long ticket = NONE;

    /**
     * Creates the future of an operation that is going to be started.
     *
     * @param proactor   that calls its handler
     * @param cancelling cancels the operation by its ticket
     * @param value      takes the result out of a successful completion
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
     * @return this
     */
    OperationFuture<T> started(long started) {
        ticket = started;
        return this;
    }

    // Called by the thread that dispatches

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

    private void succeeded(T brought) {
        if (!complete(brought) && brought instanceof Closeable unwanted) {
            // The future was completed by other means, so the connection or file would never be closed otherwise.
            try {
                unwanted.close();
            } catch (IOException e) {
                throw new UncheckedIOException("closing a handle does not fail", e);
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
     * @return false if it was too late; otherwise this completes when the operation does
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean tooLate = isDone();
        // Even for a future that was completed by other means, while the operation is still executing.
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

    /** In a hook of a proactor that one thread runs, only the caller could complete the operation. */
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
            // Meanwhile the close of the proactor has completed it.
        }
        return this;
    }
}
