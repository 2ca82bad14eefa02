package dev.sluice.eventloop;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Any number of threads are inside at once. A wake-up ends the wait of one of them only, whichever it is, so whoever
 * comes out of a wait hands on what is not meant for him alone.
 */
final class SharedOccupancy extends Occupancy {

    /** A thread's stay. For that thread. */
    private static final class Stay {
        /** How often it has come in. */
        private int depth;
        /** Whether the outermost run has failed. */
        private boolean failed;
    }

    private final Object lock = new Object();
    /** Changed under the lock. */
    private final Map<Thread, Stay> inside = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    /** Whether a wait is about to end, whose thread will see all that has been added until then. */
    private final AtomicBoolean waking = new AtomicBoolean();
    /** Those of the waiting that a stop has to get out. */
    private final AtomicInteger waitingRuns = new AtomicInteger();
    /** How many calls of {@link #run} there are, nested ones included. Under the lock. */
    private int runs;

    SharedOccupancy(EventLoop loop) {
        super(loop);
    }

    @Override
    boolean isLoopThread() {
        return isInside();
    }

    @Override
    boolean isInside() {
        return inside.containsKey(Thread.currentThread());
    }

    @Override
    boolean perform(EventLoop.LoopAction action) throws IOException {
        synchronized (lock) {
            action.perform();
            return true;
        }
    }

    @Override
    void enter() {
        Thread current = Thread.currentThread();
        Stay stay = inside.get(current);
        if (stay == null) {
            stay = new Stay();
            synchronized (lock) {
                // Nobody comes in any more, so that the last one goes out.
                if (isCloseRequested()) {
                    throw loop().closedException();
                }
                inside.put(current, stay);
            }
        }
        stay.depth++;
    }

    @Override
    void leave() {
        Thread current = Thread.currentThread();
        Stay stay = inside.get(current);
        if (stay.depth > 1) {
            stay.depth--;
            handOver();
            return;
        }
        boolean out;
        try {
            loop().left();
        } finally {
            out = goOut(current, stay);
        }
        if (out) {
            handOver();
        } else {
            end(current);
        }
    }

    /** {@return false if the caller has to end the loop before} */
    private boolean goOut(Thread current, Stay stay) {
        synchronized (lock) {
            if (stay.failed && inside.size() == 1) {
                requestClose();
            }
            boolean ends = isCloseRequested() && inside.size() == 1;
            if (!ends) {
                inside.remove(current);
            }
            return !ends;
        }
    }

    @Override
    void run() throws IOException {
        synchronized (lock) {
            runs++;
        }
        try {
            while (!isStopRequested() && !isCloseRequested()) {
                loop().iterate();
            }
        } finally {
            synchronized (lock) {
                runs--;
                if (runs == 0) {
                    stopped();
                }
            }
        }
    }

    @Override
    void runFailed() {
        Stay stay = inside.get(Thread.currentThread());
        stay.failed = stay.depth == 1;
    }

    @Override
    boolean beginWait(boolean running) {
        waiting.incrementAndGet();
        if (running) {
            waitingRuns.incrementAndGet();
        }
        if (!isStopRequested() || !running && waitingRuns.get() == 0) {
            return true;
        }
        forgetWait(running);
        if (!running) {
            // Who waited now might take the wake-up that is to get the others out.
            awaitStop();
        }
        return false;
    }

    /** Waits until all that have to stop know of it, which is soon. */
    private void awaitStop() {
        synchronized (lock) {
            while (isStopRequested() && waitingRuns.get() > 0) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    @Override
    void endWait(boolean running) {
        forgetWait(running);
        waking.set(false);
        if (isStopRequested() || isCloseRequested()) {
            handOver();
        }
    }

    private void forgetWait(boolean running) {
        waiting.decrementAndGet();
        if (running && waitingRuns.decrementAndGet() == 0 && isStopRequested()) {
            synchronized (lock) {
                lock.notifyAll();
            }
        }
    }

    @Override
    void wakeAWaiter() {
        // Once only, since not every system makes one of many wake-ups.
        if (waiting.get() > 0 && waking.compareAndSet(false, true)) {
            boolean woken = false;
            try {
                loop().wakeUp();
                woken = true;
            } finally {
                if (!woken) {
                    waking.set(false);
                }
            }
        }
    }

    @Override
    void handOver() {
        if (waiting.get() > 0 && (isCloseRequested() || isStopRequested() && waitingRuns.get() > 0
                || loop().hasUnattended())) {
            wakeAWaiter();
        }
    }

    @Override
    void endIfIdle() {
        Thread current = Thread.currentThread();
        synchronized (lock) {
            if (isClosed() || !inside.isEmpty()) {
                return;
            }
            Stay stay = new Stay();
            stay.depth++;
            inside.put(current, stay);
        }
        end(current);
    }

    private void end(Thread current) {
        try {
            loop().end();
        } finally {
            synchronized (lock) {
                inside.remove(current);
            }
        }
    }
}
