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
    /** The last hook. Guarded by this, as is its thread. */
    private String hook = "";
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
        return await(result, thread);
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

    private <T> T await(CompletableFuture<T> result, Thread running) throws Exception {
        try {
            return result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return rethrow(e.getCause());
        } catch (TimeoutException e) {
            IOException late = new IOException("it has not returned within " + OptionValues.inSeconds(limit) + " s", e);
            if (result.completeExceptionally(late)) {
                running.interrupt();
                throw late;
            }
            // It has returned at the last moment.
            return result.isCompletedExceptionally() ? rethrow(result.handle((value, failure) -> failure).join())
                    : result.join();
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
