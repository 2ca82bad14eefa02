package dev.sluice.failure;

/**
 * A lock for a close that calls hooks: a thread that waits for it does not wait forever for one that has called
 * {@link System#exit} in such a hook. A thread may lock it more than once. Needs no memory.
 */
public final class CloseLock {

    private final Object closed;
    // Guarded by this
    private Thread owner;
    private int holds;

    /** Creates a lock that no thread holds; its messages name the object that is closed under it. */
    public CloseLock(Object closed) {
        this.closed = closed;
    }

    /**
     * Waits until no other thread holds it, and locks it. An interrupt does not end the wait, and is kept.
     *
     * @throws IllegalStateException as {@link ShutdownWait#requireReturn}
     */
    public synchronized void lock() {
        Thread current = Thread.currentThread();
        boolean interrupted = false;
        long began = System.nanoTime();
        try {
            while (owner != null && owner != current) {
                try {
                    wait(ShutdownWait.STEP_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                ShutdownWait.requireReturn(closed, owner, began);
            }
            owner = current;
            holds++;
        } finally {
            if (interrupted) {
                current.interrupt();
            }
        }
    }

    /** Undoes one call of {@link #lock} by the same thread. */
    public synchronized void unlock() {
        assert owner == Thread.currentThread() : owner;
        if (--holds == 0) {
            owner = null;
            notifyAll();
        }
    }
}
