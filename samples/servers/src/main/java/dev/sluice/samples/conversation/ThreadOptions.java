package dev.sluice.samples.conversation;

import dev.sluice.samples.server.ServerOptions;
import picocli.CommandLine.ParameterException;

/** Checks {@code --concurrency} and {@code --threads}. */
public final class ThreadOptions {

    private static final int MAX_THREADS = 1024;

    private ThreadOptions() {
    }

    /**
     * Checks both.
     *
     * @param concurrency what was chosen
     * @param threads     what was given, null if nothing was
     * @param options     makes the exception
     * @return the number of threads
     * @throws ParameterException if they cannot be combined, or not with this Java
     */
    public static int check(ConcurrencyStrategy concurrency, Integer threads, ServerOptions options) {
        requireAvailable("--concurrency", concurrency, options);
        if (threads == null) {
            return concurrency.defaultThreads();
        }
        if (concurrency.defaultThreads() == 0) {
            throw options.bad("--threads: with --concurrency " + concurrency
                    + " the number of threads depends on the clients");
        }
        requireRange("--threads", threads, options);
        return threads;
    }

    /**
     * Checks a number of threads.
     *
     * @param option  its name
     * @param threads what was given
     * @param options makes the exception
     * @throws ParameterException if it is out of range
     */
    public static void requireRange(String option, int threads, ServerOptions options) {
        options.requireRange(option, threads, 1, MAX_THREADS);
    }

    /**
     * Checks that a strategy can be used here.
     *
     * @param option      the option that has chosen it, for the message
     * @param concurrency what was chosen
     * @param options     makes the exception
     * @throws ParameterException if it cannot
     */
    public static void requireAvailable(String option, ConcurrencyStrategy concurrency, ServerOptions options) {
        if (concurrency.unavailable() != null) {
            throw options.bad(option + " " + concurrency + " " + concurrency.unavailable());
        }
    }
}
