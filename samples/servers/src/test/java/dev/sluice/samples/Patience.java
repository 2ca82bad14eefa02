package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** How long a test waits for what must happen: long enough for the busiest machine. */
public final class Patience {

    public static final Duration LIMIT = Duration.ofSeconds(60);

    // Between two looks at what cannot wake a waiter, such as /proc: looking all the time takes a CPU from the sample.
    private static final long BETWEEN_LOOKS = Duration.ofMillis(5).toNanos();

    private Patience() {
    }

    public static void until(String what, Callable<Boolean> happened) throws Exception {
        until(() -> what, happened);
    }

    /** Looks until it has happened; the description is made only for the failure. */
    public static void until(Supplier<String> what, Callable<Boolean> happened) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!happened.call()) {
            if (System.nanoTime() - end > 0) {
                fail("did not happen within " + LIMIT + ": " + what.get());
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }
}
