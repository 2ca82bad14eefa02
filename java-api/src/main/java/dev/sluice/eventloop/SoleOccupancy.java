package dev.sluice.eventloop;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/** One thread is inside at a time: the loop thread, which owns everything and takes no lock. */
final class SoleOccupancy extends Occupancy {

    /** Whether another thread may become the loop thread when the one before has left the loop. */
    private final boolean canMove;
    /** Who runs the loop, or did last; null until somebody does. Changed under the lock. */
    private volatile Thread loopThread;
    private final Object lock = new Object();
    private final AtomicReference<Thread> inside = new AtomicReference<>();
    private volatile boolean waiting;

    /** How often the loop thread has come in. */
    private int depth;

    SoleOccupancy(EventLoop loop, boolean canMove) {
        super(loop);
        this.canMove = canMove;
    }

    @Override
    boolean isLoopThread() {
        return loopThread == Thread.currentThread();
    }

    @Override
    boolean isInside() {
        return inside.get() == Thread.currentThread();
    }

    private boolean mayPerform() {
        Thread owner = loopThread;
        return owner == null || owner == Thread.currentThread();
    }

    @Override
    boolean perform(EventLoop.LoopAction action) throws IOException {
        if (isInside()) {
            action.perform();
            return true;
        }
        if (mayPerform()) {
            // Locked, because another thread may begin to run the loop at this moment.
            synchronized (lock) {
                if (mayPerform()) {
                    action.perform();
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    void enter() {
        requireOpen();
        Thread current = Thread.currentThread();
        if (inside.get() != current) {
            if (!inside.compareAndSet(null, current)) {
                throw new IllegalStateException("the event loop is run by " + inside.get() + " already");
            }
            if (isClosed()) {
                // By another thread since the first look.
                inside.set(null);
                throw loop().closedException();
            }
            if (loopThread != null && loopThread != current && !canMove) {
                inside.set(null);
                throw new IllegalStateException(loop() + " belongs to " + loopThread);
            }
            belongTo(current);
        }
        depth++;
    }

    private void belongTo(Thread thread) {
        if (loopThread != thread) {
            synchronized (lock) {
                loopThread = thread;
            }
        }
    }

    @Override
    void leave() {
        depth--;
        if (depth == 0) {
            try {
                if (isCloseRequested()) {
                    end();
                }
            } finally {
                inside.set(null);
                if (isCloseRequested()) {
                    endIfIdle();
                }
            }
        }
    }

    @Override
    void run() throws IOException {
        while (!isStopRequested() && !isCloseRequested()) {
            loop().iterate();
        }
        stopped();
    }

    @Override
    void runFailed() {
        if (depth == 1) {
            requestClose();
        }
    }

    @Override
    boolean beginWait(boolean running) {
        waiting = true;
        return true;
    }

    @Override
    void endWait(boolean running) {
        waiting = false;
    }

    @Override
    void wakeAWaiter() {
        if (waiting) {
            loop().wakeUp();
        }
    }

    @Override
    void handOver() {
        // There is nobody else.
    }

    @Override
    void endIfIdle() {
        Thread current = Thread.currentThread();
        if (!isClosed() && inside.compareAndSet(null, current)) {
            Thread before = loopThread;
            belongTo(current);
            try {
                end();
            } finally {
                if (!isClosed()) {
                    // It was not this thread's to close.
                    belongTo(before);
                }
                inside.set(null);
            }
        }
    }

    private void end() {
        if (!isClosed()) {
            loop().end();
        }
    }
}
