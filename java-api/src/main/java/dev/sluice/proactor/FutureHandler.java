package dev.sluice.proactor;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Completes the future that is the token, by what a function takes out of the completion. Whoever has cancelled the
 * future will not close a connection or file that came all the same, so it is closed here.
 */
final class FutureHandler<T> implements CompletionHandler {

    static final FutureHandler<Long> BYTES = new FutureHandler<>(Completion::bytesTransferred);
    static final FutureHandler<Void> NOTHING = new FutureHandler<>(completion -> null);

    private final Function<Completion, T> value;

    FutureHandler(Function<Completion, T> value) {
        this.value = value;
    }

    @Override
    public void handleCompletion(Completion completion) {
        @SuppressWarnings("unchecked")
        CompletableFuture<T> future = (CompletableFuture<T>) completion.token();
        switch (completion.status()) {
            case SUCCEEDED -> {
                if (!future.complete(value.apply(completion))) {
                    completion.abandon();
                }
            }
            case FAILED -> future.completeExceptionally(completion.error());
            case CANCELLED -> {
                CancellationException cancelled = new CancellationException(completion.error().getMessage());
                cancelled.initCause(completion.error());
                future.completeExceptionally(cancelled);
            }
        }
    }
}
