package dev.sluice.failure;

/**
 * A reentrant lock for a close that calls hooks: a thread that waits for it does not wait forever for one that has
 * called {@link System#exit} in such a hook. Does not allocate.
 */
public final class CloseLock {

    private final Object closed;
    // Guarded by this
    private Thread owner;
    private int holds;

    /** Creates a lock that no thread holds. Messages name the object that is closed under it. */
    public CloseLock(Object closed) {
        this.closed = closed;
    }

    /**
     * Waits until no other thread holds the lock, and acquires it. An interrupt does not end the wait, and the
     * interrupt status is restored.
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

    /** Releases one {@link #lock} by the same thread. */
    public synchronized void unlock() {
        assert owner == Thread.currentThread() : owner;
        if (--holds == 0) {
            owner = null;
            notifyAll();
        }
    }
}
