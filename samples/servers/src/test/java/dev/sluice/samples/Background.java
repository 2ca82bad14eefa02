package dev.sluice.samples;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Something that runs in a thread of its own. */
public final class Background<T> {

    private final FutureTask<T> task;

    private Background(Callable<T> work) {
        task = new FutureTask<>(work);
        Thread thread = new Thread(task, "background of a test");
        thread.setDaemon(true);
        thread.start();
    }

    public static <T> Background<T> run(Callable<T> work) {
        return new Background<>(work);
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** {@return what came out} */
    public T result() throws Exception {
        try {
            return task.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }
}
