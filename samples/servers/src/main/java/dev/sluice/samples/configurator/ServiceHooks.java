package dev.sluice.samples.configurator;

import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.OptionValues;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Calls the hooks of a service, one at a time and each in a thread of its own, whose end is waited for only for a
 * limited time: one that blocks, or waits for the configurator that has called it, holds up nothing else for longer.
 * Until it returns, no other hook of this service is called.
 */
final class ServiceHooks {

    private final String name;
    private final Duration limit;
    /** The last hook. Guarded by this. */
    private String hook = "";
    /** The thread of the last hook; null once its result has been taken. Guarded by this. */
    private Thread thread;

    /**
     * Creates hooks.
     *
     * @param name  of the service
     * @param limit the maximum duration of a hook
     */
    ServiceHooks(String name, Duration limit) {
        this.name = name;
        this.limit = limit;
    }

    /**
     * Calls a hook.
     *
     * @param <T>    its result
     * @param called its name
     * @param body   calls it
     * @return its result
     * @throws Exception what it throws; an IOException if it has not returned in time, or an earlier one has not yet
     */
    <T> T call(String called, Callable<T> body) throws Exception {
        return call(called, body, () -> { });
    }

    /**
     * Calls a hook.
     *
     * @param <T>    its result
     * @param called its name
     * @param body   calls it
     * @param late   called in its thread if it returns without failure, but not in time
     * @return its result
     * @throws Exception what it throws; an IOException if it has not returned in time, or an earlier one has not yet
     */
    synchronized <T> T call(String called, Callable<T> body, Runnable late) throws Exception {
        if (thread != null && thread.isAlive()) {
            throw new IOException("it has not returned from " + hook + " yet");
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        hook = called;
        thread = new Thread(() -> run(body, result, late), name + "-" + called);
        thread.setDaemon(true);
        thread.start();
        boolean overdue = true;
        try {
            overdue = isOverdue(result);
        } finally {
            if (overdue) {
                thread.interrupt();
            } else {
                // The thread may still be alive for a moment, but no longer calls the service.
                thread = null;
            }
        }
        return get(result);
    }

    private static <T> void run(Callable<T> body, CompletableFuture<T> result, Runnable late) {
        T value;
        try {
            value = body.call();
        } catch (Exception | Error e) {
            result.completeExceptionally(e);
            return;
        }
        if (!result.complete(value)) {
            late.run();
        }
    }

    /** Returns whether the hook has not returned in time; then its result is an exception. */
    private boolean isOverdue(CompletableFuture<?> result) throws InterruptedException {
        try {
            result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return false;
        } catch (ExecutionException e) {
            // The hook has thrown: the caller rethrows that.
            return false;
        } catch (TimeoutException e) {
            // False if it has returned at the last moment.
            return result.completeExceptionally(
                    new IOException("it has not returned within " + OptionValues.inSeconds(limit) + " s", e));
        } catch (InterruptedException e) {
            result.completeExceptionally(e);
            throw e;
        }
    }

    /** Returns a result that is there. */
    private static <T> T get(CompletableFuture<T> result) throws Exception {
        try {
            return result.get();
        } catch (ExecutionException e) {
            return rethrow(e.getCause());
        }
    }

    private static <T> T rethrow(Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }

    /** {@return what is wrong, in one line} An error says what it is only by its type. */
    static String problem(Throwable failure) {
        return line(failure instanceof Exception ? FileProblem.describe(failure) : failure.toString());
    }

    /** {@return a text in one line, as the answers at the control address are} */
    static String line(String text) {
        return text == null ? "" : text.lines().map(String::strip).collect(Collectors.joining(" "));
    }
}
