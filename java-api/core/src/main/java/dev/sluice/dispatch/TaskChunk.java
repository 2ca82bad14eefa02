package dev.sluice.dispatch;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Places for some of a queue's tasks. Each is used once: what has been handed out never means anything else. */
final class TaskChunk {

    private static final int PLACES = 256;

    private final long first;
    private final AtomicReferenceArray<Runnable> places = new AtomicReferenceArray<>(PLACES);
    private final AtomicReference<TaskChunk> next = new AtomicReference<>();

    /**
     * Creates an empty one.
     *
     * @param first the number of its first place, counted from the beginning of the queue
     */
    TaskChunk(long first) {
        this.first = first;
    }

    long first() {
        return first;
    }

    /** {@return the following one, null if there is none yet, this one if it has been retired} */
    TaskChunk next() {
        return next.get();
    }

    /**
     * Lets go of the following one: all places have been used. If this has outlived some collections of the young
     * generation, it would keep all that follow from being collected until the old one is.
     */
    void retire() {
        next.set(this);
    }

    /**
     * {@return the one that has a place, this or one that follows, or null if this has been retired} The last of them
     * may be made for it.
     */
    TaskChunk with(long place) {
        TaskChunk chunk = this;
        while (place - chunk.first >= PLACES) {
            TaskChunk following = chunk.next.get();
            if (following == chunk) {
                return null;
            }
            if (following == null) {
                following = new TaskChunk(chunk.first + PLACES);
                if (!chunk.next.compareAndSet(null, following)) {
                    following = chunk.next.get();
                }
            }
            chunk = following;
        }
        return chunk;
    }

    void put(long place, Runnable task) {
        places.setRelease((int) (place - first), task);
    }

    /** {@return what is in a place, or null if nothing has been put there yet} */
    Runnable at(long place) {
        return places.getAcquire((int) (place - first));
    }

    boolean replace(long place, Runnable task, Runnable replacement) {
        return places.compareAndSet((int) (place - first), task, replacement);
    }

    /** {@return whether the task was in one of the places, and has been replaced} */
    boolean replace(Runnable task, Runnable replacement) {
        for (int i = 0; i < PLACES; i++) {
            if (places.get(i) == task && places.compareAndSet(i, task, replacement)) {
                return true;
            }
        }
        return false;
    }
}
