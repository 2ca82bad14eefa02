package dev.sluice.failure;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What was thrown where throwing it on would have left others without their due: it is kept until everybody has been
 * served, and thrown then. The first one is, with the others suppressed in it. From any thread.
 */
public final class Failures {

    private final AtomicReference<Throwable> first = new AtomicReference<>();

    /** Begins without one. */
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
     * Keeps a failure where mostly there is none.
     *
     * @param before  those before, or null if there were none
     * @param failure what was thrown
     * @return those before, or if there were none new ones, with one more
     */
    public static Failures and(Failures before, Throwable failure) {
        Failures all = before == null ? new Failures() : before;
        all.add(failure);
        return all;
    }

    /**
     * Does something and keeps what it throws.
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

    /** Throws what is kept, if there is something; then nothing is kept any more. */
    public void throwKept() {
        // The look spares a loop a write to a shared cache line in every turn.
        if (isEmpty()) {
            return;
        }
        Throwable failure = first.getAndSet(null);
        if (failure != null) {
            Failures.<RuntimeException>rethrow(failure);
        }
    }

    /** Throws what a method has thrown that declares nothing: in other languages that may be a checked exception. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
