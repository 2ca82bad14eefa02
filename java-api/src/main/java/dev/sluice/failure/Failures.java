package dev.sluice.failure;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps exceptions whose immediate throwing would leave other work undone: they are kept until everything has been
 * done, and then the first one is thrown, with the others added to it as suppressed. May be used by any thread.
 */
public final class Failures {

    private final AtomicReference<Throwable> first = new AtomicReference<>();

    /** Keeps nothing at first. */
    public Failures() {
    }

    /**
     * Keeps a failure.
     *
     * @param failure what was thrown
     */
    public void add(Throwable failure) {
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

    /**
     * Keeps a failure where usually there is none.
     *
     * @param before  the earlier ones, or null if there were none
     * @param failure what was thrown
     * @return the earlier ones, or a new object if there were none, with this failure added
     */
    public static Failures and(Failures before, Throwable failure) {
        Failures all = before == null ? new Failures() : before;
        all.add(failure);
        return all;
    }

    /**
     * Runs an action and keeps what it throws.
     *
     * @param action what to do
     */
    public void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            add(e);
        }
    }

    /** {@return whether nothing is kept} */
    public boolean isEmpty() {
        return first.get() == null;
    }

    /** Throws what is kept, if anything; afterwards nothing is kept any more. */
    public void throwKept() {
        // Looking first spares a loop a write to a shared cache line in every turn.
        if (isEmpty()) {
            return;
        }
        Throwable failure = first.getAndSet(null);
        if (failure != null) {
            Failures.<RuntimeException>rethrow(failure);
        }
    }

    /**
     * Rethrows what a method that declares no exceptions has thrown; from other languages that may be a checked
     * exception.
     */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
