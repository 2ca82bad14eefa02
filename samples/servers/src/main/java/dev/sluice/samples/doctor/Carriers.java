package dev.sluice.samples.doctor;

import java.util.Optional;

/** The platform threads that carry virtual threads. */
final class Carriers {

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

    private Carriers() {
    }

    /** {@return a line about virtual threads in native calls; empty if this Java has no virtual threads} */
    static Optional<String> describe() {
        if (Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS) {
            return Optional.empty();
        }
        // Read as the scheduler itself reads it, which adds no carriers for threads that wait in native code.
        int count = Integer.getInteger(PARALLELISM, Runtime.getRuntime().availableProcessors());
        return Optional.of("virtual threads have " + count + (count == 1 ? " carrier" : " carriers") + ", and each that"
                + " waits in a blocking call occupies one: if all do, no other virtual thread runs");
    }
}
