package dev.sluice.handle;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Something that runs in a thread of its own. */
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

    /** {@return what came out, once the thread has ended} */
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
