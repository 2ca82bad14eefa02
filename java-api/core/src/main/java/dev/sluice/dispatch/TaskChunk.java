package dev.sluice.dispatch;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A chunk of a task queue, with slots for some of its tasks. Each slot is used once, so the number of a slot always
 * identifies the same task.
 */
final class TaskChunk {

    private static final int PLACES = 256;

    private final long first;
    private final AtomicReferenceArray<Runnable> places = new AtomicReferenceArray<>(PLACES);
    private final AtomicReference<TaskChunk> next = new AtomicReference<>();

    /**
     * Creates an empty chunk.
     *
     * @param first the number of its first slot, counted from the beginning of the queue
     */
    TaskChunk(long first) {
        this.first = first;
    }

    long first() {
        return first;
    }

    /** {@return the next chunk; null if there is none yet; this chunk if it has been retired} */
    TaskChunk next() {
        return next.get();
    }

    /**
     * Removes the reference to the next chunk, after all slots have been used. If this chunk is in the old generation
     * of the heap, the reference would prevent minor garbage collections from freeing the chunks that follow.
     */
    void retire() {
        next.set(this);
    }

    /**
     * {@return the chunk with a slot, this one or a later one; null if this chunk has been retired} Creates the last
     * chunk if necessary.
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

    /** {@return the task in a slot; null if it is empty} */
    Runnable at(long place) {
        return places.getAcquire((int) (place - first));
    }

    boolean replace(long place, Runnable task, Runnable replacement) {
        return places.compareAndSet((int) (place - first), task, replacement);
    }

    /** Replaces a task. Returns whether it was in one of the slots. */
    boolean replace(Runnable task, Runnable replacement) {
        for (int i = 0; i < PLACES; i++) {
            if (places.get(i) == task && places.compareAndSet(i, task, replacement)) {
                return true;
            }
        }
        return false;
    }
}
