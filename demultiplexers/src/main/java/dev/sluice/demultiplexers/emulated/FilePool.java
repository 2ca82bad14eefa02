package dev.sluice.demultiplexers.emulated;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads for the calls that wait for a disk, because no demultiplexer tells when they would not. There are none until
 * there is something to do, and only as many as can be busy.
 *
 * <p>Operations come in through a queue with a lock, which is held for a few instructions; they go back through a chain
 * of themselves without one.
 */
final class FilePool implements AutoCloseable {

    private static final int MOST_THREADS = 4;

    private final String name;
    private final Calls calls;
    private final Runnable signal;
    private final AtomicReference<EmulatedOperation> performed = new AtomicReference<>();

    // Guarded by this
    private final ArrayDeque<EmulatedOperation> submitted = new ArrayDeque<>();
    private final List<Thread> threads = new ArrayList<>(MOST_THREADS);
    private int idle;
    private boolean closed;

    /**
     * Makes one without threads.
     *
     * @param signal has the loop thread take what has been performed
     */
    FilePool(String name, Calls calls, Runnable signal) {
        this.name = name;
        this.calls = calls;
        this.signal = signal;
    }

    // By the loop thread

    synchronized void submit(EmulatedOperation operation) {
        submitted.add(operation);
        if (submitted.size() > idle && threads.size() < MOST_THREADS) {
            Thread thread = new Thread(this::performAll, name + "-file-" + (threads.size() + 1));
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        } else {
            notify();
        }
    }

    /** {@return whether it will not be performed; false if a thread has taken it already} */
    synchronized boolean withdraw(EmulatedOperation operation) {
        return submitted.remove(operation);
    }

    /** {@return operations that have been performed, each with the next one; or null} */
    EmulatedOperation takePerformed() {
        // The look spares the loop a write to a shared cache line in every turn.
        return performed.get() == null ? null : performed.getAndSet(null);
    }

    /** Ends the threads and waits for their end. There is nothing to be performed any more. */
    @Override
    public void close() {
        List<Thread> ending;
        synchronized (this) {
            closed = true;
            notifyAll();
            ending = List.copyOf(threads);
        }
        ending.forEach(FilePool::join);
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // By the threads

    private void performAll() {
        EmulatedOperation operation;
        while ((operation = next()) != null) {
            operation.result = calls.perform(operation);
            handBack(operation);
        }
    }

    private synchronized EmulatedOperation next() {
        while (submitted.isEmpty() && !closed) {
            idle++;
            try {
                wait();
            } catch (InterruptedException e) {
                // Only the close ends these threads, which nobody else knows.
            } finally {
                idle--;
            }
        }
        return submitted.poll();
    }

    private void handBack(EmulatedOperation operation) {
        EmulatedOperation before;
        do {
            before = performed.get();
            operation.nextPerformed = before;
        } while (!performed.compareAndSet(before, operation));
        // Who was there before has signalled, and the loop thread has not come yet.
        if (before == null) {
            signal.run();
        }
    }
}
