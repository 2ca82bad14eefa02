package dev.sluice.stages;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * A pool of reusable objects. A thread that finds none creates one, so there are about as many as threads have used
 * concurrently.
 */
final class ObjectPool<T> {

    private static final int PLACES = 16;

    private final AtomicReferenceArray<T> spare = new AtomicReferenceArray<>(PLACES);
    private final Supplier<T> factory;

    ObjectPool(Supplier<T> factory) {
        this.factory = factory;
    }

    T take() {
        for (int i = 0; i < PLACES; i++) {
            if (spare.getPlain(i) != null) {
                T found = spare.getAndSet(i, null);
                if (found != null) {
                    return found;
                }
            }
        }
        return factory.get();
    }

    void release(T unused) {
        for (int i = 0; i < PLACES; i++) {
            if (spare.getPlain(i) == null && spare.compareAndSet(i, null, unused)) {
                return;
            }
        }
    }
}
