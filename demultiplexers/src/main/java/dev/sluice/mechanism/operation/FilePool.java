package dev.sluice.mechanism.operation;

import dev.sluice.calls.Errno;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Threads for the calls that wait for a disk, because no demultiplexer can tell when such a call would not wait. There
 * are no threads until there is something to do, and never more than can be busy.
 *
 * <p>Operations enter through a queue with a lock, which is held for a few instructions; they go back, linked to one
 * another, without a lock.
 */
public final class FilePool implements AutoCloseable {

    /**
     * System property with the most threads that such a pool may have, 1 to 1024. What waits for a disk or a network
     * file system in all of them at once makes everything else of its pool wait.
     */
    public static final String THREADS_PROPERTY = "sluice.file-threads";

    /** The most threads that a pool may have unless {@value #THREADS_PROPERTY} says otherwise. */
    public static final int DEFAULT_THREADS = 4;

    private static final int MOST_CONFIGURED = 1024;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String name;
    private final int mostThreads;
    private final ToLongFunction<NativeOperation> calls;
    private final Runnable signal;
    private final Consumer<Throwable> failures;
    private final AtomicReference<NativeOperation> performed = new AtomicReference<>();

    // Guarded by this
    private final ArrayDeque<NativeOperation> submitted = new ArrayDeque<>();
    private final List<Thread> threads = new ArrayList<>();
    private int idle;
    private volatile boolean closed;

    /**
     * Makes a pool without threads.
     *
     * @param name        the prefix of its threads' names
     * @param mostThreads how many threads there may be
     * @param calls       makes the call that an operation stands for, and returns its result
     * @param signal      makes a thread call {@link #takePerformed}; called by the pool's threads, again and again
     *                    while the system refuses it
     * @param failures    is told of the first refusal of each signal
     */
    public FilePool(String name, int mostThreads, ToLongFunction<NativeOperation> calls, Runnable signal,
            Consumer<Throwable> failures) {
        this.name = name;
        this.mostThreads = mostThreads;
        this.calls = calls;
        this.signal = signal;
        this.failures = failures;
    }

    /**
     * {@return {@link #DEFAULT_THREADS}, unless changed by {@value #THREADS_PROPERTY}}
     *
     * @throws IllegalArgumentException if that is not a number in its range
     */
    public static int configuredThreads() {
        return IntegerProperty.of(THREADS_PROPERTY, 1, MOST_CONFIGURED, DEFAULT_THREADS);
    }

    // Only inside

    /**
     * Queues an operation to be performed.
     *
     * @param operation begun
     */
    public synchronized void submit(NativeOperation operation) {
        submitted.add(operation);
        if (submitted.size() > idle && threads.size() < mostThreads) {
            Thread thread = new Thread(this::performAll, name + "-" + (threads.size() + 1));
            thread.setDaemon(true);
            start(thread, operation);
            threads.add(thread);
        } else {
            notify();
        }
    }

    private void start(Thread thread, NativeOperation operation) {
        boolean started = false;
        try {
            thread.start();
            started = true;
        } finally {
            if (!started) {
                submitted.removeLastOccurrence(operation);
            }
        }
    }

    /**
     * Tries to keep an operation from being performed.
     *
     * @param operation submitted
     * @return true if it will not be performed; false if a thread has taken it already
     */
    public synchronized boolean withdraw(NativeOperation operation) {
        return submitted.remove(operation);
    }

    /**
     * {@return the operations that have been performed, linked by {@link NativeOperation#takeNextPerformed}; or null}
     */
    public NativeOperation takePerformed() {
        // Looking first spares the loop a write to a shared cache line in every turn.
        return performed.get() == null ? null : performed.getAndSet(null);
    }

    /** Ends the threads and waits until they have ended. Called when nothing is left to be performed. */
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

    // Called by the pool's threads

    private void performAll() {
        NativeOperation operation;
        while ((operation = next()) != null) {
            perform(operation);
            handBack(operation);
        }
    }

    private void perform(NativeOperation operation) {
        try {
            operation.performed(calls.applyAsLong(operation), null);
        } catch (RuntimeException | Error e) {
            operation.performed(-Errno.EIO.number(), e);
        }
    }

    private synchronized NativeOperation next() {
        while (submitted.isEmpty() && !closed) {
            idle++;
            try {
                wait();
            } catch (InterruptedException e) {
                // Only the close ends these threads; nobody else has access to them to interrupt them.
            } finally {
                idle--;
            }
        }
        return submitted.poll();
    }

    private void handBack(NativeOperation operation) {
        NativeOperation before;
        do {
            before = performed.get();
            operation.nextPerformed = before;
        } while (!performed.compareAndSet(before, operation));
        // If there was one before, it has been signalled for, and nobody has come for it yet.
        if (before == null) {
            signalUntilHeard();
        }
    }

    /** Threads that add an operation later rely on this signal, so nobody else would give it. */
    private void signalUntilHeard() {
        boolean told = false;
        while (performed.get() != null && !closed) {
            try {
                signal.run();
                return;
            } catch (RuntimeException | Error e) {
                if (!told) {
                    failures.accept(e);
                }
                told = true;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
