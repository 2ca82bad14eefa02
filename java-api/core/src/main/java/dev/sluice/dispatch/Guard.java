package dev.sluice.dispatch;

import dev.sluice.failure.MemoryShortage;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a table or an entry that several threads use. A thread that has to wait for such a lock may need memory
 * for that; where there is none, it tries again, because a registration must end also without memory.
 */
public final class Guard extends ReentrantLock {

    private static final long serialVersionUID = 1L;

    /** Creates a lock that is free. */
    public Guard() {
    }

    @Override
    public void lock() {
        while (true) {
            try {
                super.lock();
                return;
            } catch (OutOfMemoryError e) {
                MemoryShortage.pause();
            }
        }
    }
}
