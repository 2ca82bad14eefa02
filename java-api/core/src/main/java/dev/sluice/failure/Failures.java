package dev.sluice.failure;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Keeps exceptions whose immediate throwing would leave other work undone: they are kept until everything has been
 * done, and then the first one is thrown, with the others added to it as suppressed. May be used by any thread.
 */
public final class Failures {

    /** The first one; null if nothing is kept. For loops, which look in every iteration. */
    public final AtomicReference<Throwable> first = new AtomicReference<>();

    /** Keeps nothing at first. */
    public Failures() {
    }

    /** Keeps a failure. */
    public void add(Throwable failure) {
        while (!first.compareAndSet(null, failure)) {
            Throwable before = first.get();
            if (before == failure) {
                return;
            }
            if (before != null) {
                suppress(before, failure);
                return;
            }
        }
    }

    /**
     * Keeps a failure in a variable. Needs no memory: what keeps it is the first failure itself.
     *
     * @param first   the first of the earlier ones, or null if there were none
     * @param failure the exception or error; null for nothing
     * @return the first, with the later ones added to it as suppressed
     */
    public static Throwable and(Throwable first, Throwable failure) {
        if (first == null) {
            return failure;
        }
        if (first != failure && failure != null) {
            suppress(first, failure);
        }
        return first;
    }

    private static void suppress(Throwable first, Throwable failure) {
        try {
            first.addSuppressed(failure);
        } catch (OutOfMemoryError | StackOverflowError e) {
            // There is no memory for the list. The first failure is kept nevertheless.
            return;
        }
    }

    /** {@return whether what has thrown this was not done for lack of memory or stack, and can be tried again} */
    public static boolean isShortage(Throwable failure) {
        return failure instanceof OutOfMemoryError || failure instanceof StackOverflowError;
    }

    /**
     * Runs an action for each of several, also if it throws for some of them. Then throws a failure, with the others
     * added as suppressed: one after which it can be tried again, if there is one.
     */
    public static <T> void forEach(Iterable<T> all, Consumer<? super T> action) {
        Throwable first = null;
        for (T each : all) {
            try {
                action.accept(each);
            } catch (Throwable e) {
                first = isShortage(e) ? and(e, first) : and(first, e);
            }
        }
        throwFirst(first);
    }

    /** Runs an action and keeps what it throws. */
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
        throwFirst(first.getAndSet(null));
    }

    /** Throws what {@link #and} has kept, if that is not null. */
    public static void throwFirst(Throwable first) {
        if (first != null) {
            Failures.<RuntimeException>rethrow(first);
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
