package dev.sluice.eventloop;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Who is inside an event loop, who of them waits, and how all of them get out of it. */
abstract class Occupancy {

    private final EventLoop loop;
    private volatile boolean stopRequested;
    private volatile boolean closeRequested;
    private final CountDownLatch closed = new CountDownLatch(1);

    Occupancy(EventLoop loop) {
        this.loop = loop;
    }

    static Occupancy of(LoopThreads threads, EventLoop loop) {
        return switch (threads) {
            case ONE_AT_A_TIME -> new SoleOccupancy(loop, true);
            case THE_FIRST -> new SoleOccupancy(loop, false);
            case MANY -> new SharedOccupancy(loop);
        };
    }

    final EventLoop loop() {
        return loop;
    }

    // Whose thread

    /** {@return whether the caller is a thread of the loop} */
    abstract boolean isLoopThread();

    /** {@return whether the caller is inside} */
    abstract boolean isInside();

    /**
     * Does something at once, if the caller may.
     *
     * @return whether it was done
     */
    abstract boolean perform(EventLoop.LoopAction action) throws IOException;

    // Running

    /**
     * The caller comes in, perhaps once more.
     *
     * @throws IllegalStateException if it may not
     */
    abstract void enter();

    /**
     * The caller goes out again, as often as it has come in. Whoever is the last one ends a loop that is to be closed.
     */
    abstract void leave();

    /** Iterates until the stop or the end. Inside. */
    abstract void run() throws IOException;

    /** The run of the caller has failed. Inside; if nobody else is, going out ends the loop. */
    abstract void runFailed();

    /**
     * The caller is about to wait. To be called before it looks for what it has to do instead, so that whoever adds
     * something sees one who waits, or else the one who waits sees what was added.
     *
     * @param running whether it does so in {@link #run}
     * @return whether it may wait; it is only then to call {@link #endWait}
     */
    abstract boolean beginWait(boolean running);

    /** The caller waits no more. */
    abstract void endWait(boolean running);

    /** Something has been added: ends a wait, if a thread may be in one. */
    abstract void wakeAWaiter();

    /** To be called by who is about to call hooks, so that somebody else attends to what should not wait for these. */
    abstract void handOver();

    final void stop() {
        stopRequested = true;
        loop.wakeUp();
    }

    final boolean isStopRequested() {
        return stopRequested;
    }

    /** All have stopped. */
    final void stopped() {
        stopRequested = false;
    }

    // The end

    /** The last one who goes out has to end it. */
    final void requestClose() {
        closeRequested = true;
    }

    final boolean isCloseRequested() {
        return closeRequested;
    }

    final boolean isClosed() {
        return closed.getCount() == 0;
    }

    final void requireOpen() {
        if (isClosed()) {
            throw loop.closedException();
        }
    }

    /** Ends the loop if nobody is inside. */
    abstract void endIfIdle();

    /** It has ended. */
    final void ended() {
        closed.countDown();
    }

    final void close() {
        closeRequested = true;
        if (isInside()) {
            handOver();
            return;
        }
        endIfIdle();
        loop.wakeUp();
        boolean interrupted = false;
        while (!isClosed()) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
