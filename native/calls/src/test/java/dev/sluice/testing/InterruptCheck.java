package dev.sluice.testing;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves its thread interrupted: the next wait of that thread would fail, in a test that has nothing
 * to do with it. JUnit finds this by itself. What interrupts the thread between two tests, as a watch over timeouts
 * does that comes too late, is cleared and named.
 */
public final class InterruptCheck implements BeforeEachCallback, AfterEachCallback {

    private static final String NOTHING = "the first test";

    /** What has ended last in this JVM, in which one thread runs the tests. */
    private static volatile String last = NOTHING;

    /** For JUnit. */
    public InterruptCheck() {
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        begin(context.getUniqueId());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        end(context.getUniqueId());
    }

    /** {@return whether the thread was interrupted, which it is no longer} */
    static boolean begin(String test) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            System.err.println("INTERRUPTED: " + Thread.currentThread() + " between " + last + " and " + test);
        }
        return interrupted;
    }

    /** Clears the interrupt, and fails if there was one. */
    static void end(String test) {
        last = test;
        if (Thread.interrupted()) {
            throw new AssertionError("the test leaves " + Thread.currentThread() + " interrupted: " + test);
        }
    }
}
