package dev.sluice.samples.conversation;

import dev.sluice.samples.server.ServerOptions;
import picocli.CommandLine.ParameterException;

/** What {@code --concurrency} and {@code --threads} can be together. */
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
     * @return how many threads there are to be
     * @throws ParameterException if they do not go together, or not with this Java
     */
    public static int check(ConcurrencyStrategy concurrency, Integer threads, ServerOptions options) {
        requireAvailable("--concurrency", concurrency, options);
        if (threads == null) {
            return concurrency.defaultThreads();
        }
        if (concurrency.defaultThreads() == 0) {
            throw options.bad("--threads: with --concurrency " + concurrency
                    + " the clients decide how many threads there are");
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
     * @throws ParameterException if it is none that there can be
     */
    public static void requireRange(String option, int threads, ServerOptions options) {
        options.requireRange(option, threads, 1, MAX_THREADS);
    }

    /**
     * Checks that a strategy can be used here.
     *
     * @param option      what has chosen it, for the message
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
