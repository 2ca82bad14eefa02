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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * What an operation will bring. To cancel it, or to limit its time, is to cancel the operation: it is completed when
 * the operation is, so nothing that the operation has got before gets lost.
 */
final class OperationFuture<T> extends CompletableFuture<T> implements CompletionHandler {

    private static final Function<Completion, Void> NOTHING = completion -> null;

    private final Proactor proactor;
    private final Function<Completion, T> value;
    /** Completes it when the operation has been cancelled for want of time. */
    private final AtomicReference<Runnable> outOfTime = new AtomicReference<>();
    private LongConsumer cancelling;
    private long ticket;

    /**
     * Makes the handler of an operation.
     *
     * @param proactor that calls it
     * @param value    takes the result out of a successful completion
     */
    OperationFuture(Proactor proactor, Function<Completion, T> value) {
        this.proactor = proactor;
        this.value = value;
    }

    static OperationFuture<Long> ofBytes(Proactor proactor) {
        return new OperationFuture<>(proactor, Completion::bytesTransferred);
    }

    static OperationFuture<Void> ofNothing(Proactor proactor) {
        return new OperationFuture<>(proactor, NOTHING);
    }

    /**
     * The operation has been started, and may have completed since.
     *
     * @param cancels what cancels it by its ticket
     * @param started the ticket
     * @return this
     */
    OperationFuture<T> started(LongConsumer cancels, long started) {
        cancelling = cancels;
        ticket = started;
        return this;
    }

    // By the thread that dispatches

    @Override
    public void handleCompletion(Completion completion) {
        switch (completion.status()) {
            case SUCCEEDED -> succeeded(value.apply(completion));
            case FAILED -> completeExceptionally(completion.error());
            case CANCELLED -> cancelled(completion);
        }
    }

    private void succeeded(T brought) {
        if (!complete(brought) && brought instanceof Closeable unwanted) {
            // Somebody else has completed it, so nobody would close the connection or file.
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
            CancellationException cancelled = new CancellationException(completion.error().getMessage());
            cancelled.initCause(completion.error());
            completeExceptionally(cancelled);
        }
    }

    // From any thread

    /**
     * Cancels the operation.
     *
     * @return false if it was too late; else this is completed when the operation is
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean tooLate = isDone();
        // Also of a future that somebody else has completed, while the operation goes on.
        cancelling.accept(ticket);
        return !tooLate || isCancelled();
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
            whenComplete((result, cause) -> proactor.cancel(timer));
        } catch (IllegalStateException e) {
            if (!isDone()) {
                throw e;
            }
            // The close of the proactor has completed it in between.
        }
        return this;
    }
}
