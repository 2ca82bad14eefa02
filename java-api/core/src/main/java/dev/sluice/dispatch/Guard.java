package dev.sluice.dispatch;

import dev.sluice.failure.OutOfMemoryRetry;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a table or an entry that several threads use. Waiting for such a lock may need memory; if there is none,
 * the thread tries again, because a registration must end even without memory.
 */
public final class Guard extends ReentrantLock {

    private static final long serialVersionUID = 1L;

    /** Creates a lock that no thread holds. */
    public Guard() {
    }

    @Override
    public void lock() {
        while (true) {
            try {
                super.lock();
                return;
            } catch (OutOfMemoryError e) {
                OutOfMemoryRetry.pause();
            }
        }
    }
}
