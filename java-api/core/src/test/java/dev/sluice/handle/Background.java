package dev.sluice.handle;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A task in a separate thread. */
final class Background<T> {

    private final FutureTask<T> task;
    private final Thread thread;

    private Background(Callable<T> work) {
        task = new FutureTask<>(work);
        thread = new Thread(task, "background of a test");
        thread.setDaemon(true);
    }

    static <T> Background<T> run(Callable<T> work) {
        Background<T> background = new Background<>(work);
        background.thread.start();
        return background;
    }

    /** Waits for the end of the thread. Returns the result. */
    T result() throws Exception {
        try {
            T result = task.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            thread.join(Patience.LIMIT.toMillis());
            return result;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
