package dev.sluice.failure;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Collects exceptions while other work must still be done. After that, the first one is thrown, with the others added
 * as suppressed ones. All methods may be called from any thread.
 */
public final class Failures {

    /** The first exception; null if there is none. Public for loops, which read it in each iteration. */
    public final AtomicReference<Throwable> first = new AtomicReference<>();

    /** Creates an empty collection. */
    public Failures() {
    }

    /** Adds a failure. */
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
     * Combines a failure with earlier ones. Needs no object of this class, because the first failure holds the others.
     *
     * @param first   the first of the earlier failures; null if there were none
     * @param failure the exception or error; null for none
     * @return the first failure, with the later ones added as suppressed ones
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
            // There is no memory for the list of suppressed ones. The first failure is still thrown.
            return;
        }
    }

    /** {@return whether a failure was caused by a lack of memory or stack, so that the call can be repeated} */
    public static boolean isShortage(Throwable failure) {
        return failure instanceof OutOfMemoryError || failure instanceof StackOverflowError;
    }

    /**
     * Runs an action for each element, even if it throws for some of them. Then throws one of the failures, with the
     * others added as suppressed ones; prefers one for lack of memory or stack, after which the call can be repeated.
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

    /** Runs an action and adds its exception. */
    public void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            add(e);
        }
    }

    /** {@return whether there are no failures} */
    public boolean isEmpty() {
        return first.get() == null;
    }

    /** Throws the first failure, if there is one, and removes all. */
    public void throwKept() {
        // Checked first, so that a loop does not write to a shared cache line in each iteration.
        if (isEmpty()) {
            return;
        }
        throwFirst(first.getAndSet(null));
    }

    /** Throws a result of {@link #and}, unless it is null. */
    public static void throwFirst(Throwable first) {
        if (first != null) {
            Failures.<RuntimeException>rethrow(first);
        }
    }

    /** Rethrows an exception of a method that declares none; in other languages it may be a checked exception. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
