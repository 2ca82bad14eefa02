package dev.sluice.jcstress;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Further threads: jcstress itself gives a test no more actors than there are CPUs. */
public final class Bystanders {

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "bystander");
        thread.setDaemon(true);
        return thread;
    });

    private Bystanders() {
    }

    /**
     * Runs an action in another thread.
     *
     * @param <T>    the type of the result
     * @param action the action
     * @return the future result, for {@link #result}
     */
    public static <T> Future<T> begin(Callable<T> action) {
        return THREADS.submit(action);
    }

    /**
     * Waits until it is done.
     *
     * @param <T>       the type of the result
     * @param bystander from {@link #begin}
     * @return the result of the action
     */
    public static <T> T result(Future<T> bystander) {
        try {
            return bystander.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
