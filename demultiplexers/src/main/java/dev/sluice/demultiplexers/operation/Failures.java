package dev.sluice.demultiplexers.operation;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What was thrown where nobody expected it, and where throwing it on would have left others without their due. The next
 * wait throws it, or else the close. From any thread.
 */
final class Failures {

    private final AtomicReference<Throwable> first = new AtomicReference<>();

    /** Keeps a failure: a {@link RuntimeException} or an {@link Error}. */
    void add(Throwable failure) {
        while (!first.compareAndSet(null, failure)) {
            Throwable before = first.get();
            if (before == failure) {
                return;
            }
            if (before != null) {
                before.addSuppressed(failure);
                return;
            }
        }
    }

    /** Throws what has been kept, if there is something. */
    void throwKept() {
        // The look spares the loop a write to a shared cache line in every turn.
        if (first.get() == null) {
            return;
        }
        Throwable failure = first.getAndSet(null);
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    /** {@return those before, or if there were none new ones, with one more} */
    static Failures and(Failures before, Throwable failure) {
        Failures all = before == null ? new Failures() : before;
        all.add(failure);
        return all;
    }

    /** Does something and keeps what it throws. */
    void guard(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            add(e);
        }
    }
}
