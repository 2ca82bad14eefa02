package dev.sluice.demultiplexer.operation;

import dev.sluice.failure.StackReserve;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads for calls that wait for a disk, since no demultiplexer reports when such a call would not wait. A
 * thread is started when a call is submitted and all threads are busy.
 *
 * <p>The threads take calls in the order of the
 * {@linkplain dev.sluice.demultiplexer.spi.Association#prioritize priority} of their handles, and those of the same
 * priority in the order in which they were submitted: the strategy by which the Proactor paper lets initiators
 * prioritize operations ("Scheduling, controlling, and canceling asynchronously running operations"). A call waits as
 * long as there are calls of higher priority.
 *
 * <p>Calls are submitted through a queue with a lock, which is held for a few instructions, and returned in a linked
 * list without a lock.
 */
public final class FilePool implements AutoCloseable {

    /**
     * System property with the maximum number of threads of a pool, 1 to 1024. While all of them wait for a disk or a
     * network file system, further calls wait.
     */
    public static final String MAX_PROPERTY = "sluice.file-threads";

    /** Default maximum number of threads of a pool; {@value #MAX_PROPERTY} changes it. */
    public static final int DEFAULT_MAX = 4;

    private static final int MAX_CONFIGURED = 1024;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String name;
    private final int maxThreads;
    private final Runnable signal;
    private final Consumer<Throwable> failures;
    private final Consumer<Thread> starter;
    private final AtomicReference<PooledCall> performed = new AtomicReference<>();

    // Guarded by this
    private final Queue<PooledCall> submitted = new PriorityQueue<>(
            Comparator.<PooledCall>comparingInt(call -> call.priority).reversed()
                    .thenComparingLong(call -> call.number));
    private final List<Worker> workers = new ArrayList<>();
    private long lastNumber;
    private int idle;
    private volatile boolean closed;

    /**
     * Creates a pool without threads.
     *
     * @param name       the prefix of its threads' names
     * @param maxThreads the maximum number of threads, at least 1
     * @param signal     makes a thread call {@link #resumePerformed}; called by threads of the pool, and repeated while
     *                   the system refuses
     * @param failures   receives the first failure of each signal
     * @throws IllegalArgumentException if no thread is allowed
     */
    public FilePool(String name, int maxThreads, Runnable signal, Consumer<Throwable> failures) {
        this(name, maxThreads, signal, failures, Thread::start);
    }

    /** Creates a pool whose threads are started by the given starter, which in a test may fail. */
    FilePool(String name, int maxThreads, Runnable signal, Consumer<Throwable> failures,
            Consumer<Thread> starter) {
        if (maxThreads < 1) {
            throw new IllegalArgumentException("threads: " + maxThreads);
        }
        this.starter = starter;
        this.name = name;
        this.maxThreads = maxThreads;
        this.signal = signal;
        this.failures = failures;
    }

    /**
     * {@return {@link #DEFAULT_MAX}, unless changed by {@value #MAX_PROPERTY}}
     *
     * @throws IllegalArgumentException if the property is not a number in that range; the message names the property
     */
    public static int configuredThreads() {
        return IntegerProperty.of(MAX_PROPERTY, 1, MAX_CONFIGURED, DEFAULT_MAX);
    }

    // Only inside

    /**
     * Queues a call for a thread of the pool. If there is neither a thread nor memory for it, and the operation cannot
     * be cancelled, as a close, the caller makes it.
     *
     * @param call the call of an operation that has been begun
     * @throws OutOfMemoryError if the call is neither queued nor made
     */
    public void submit(PooledCall call) {
        try {
            queue(call);
        } catch (OutOfMemoryError e) {
            if (call.operation().arguments().canBeCancelled()) {
                throw e;
            }
            call.perform();
            handBack(call);
        }
    }

    private synchronized void queue(PooledCall call) {
        // Without this stack, a change of the queue might be interrupted.
        StackReserve.require();
        HandleAssociation association = call.operation().association();
        call.priority = association == null ? 0 : association.priority();
        call.number = ++lastNumber;
        if (submitted.size() >= idle && workers.size() < maxThreads) {
            // First, because it may fail: a call in the queue is performed, even if its operation has completed with an
            // error.
            addWorkerIfPossible();
        }
        submitted.add(call);
        notify();
    }

    private void addWorkerIfPossible() {
        try {
            addWorker();
        } catch (OutOfMemoryError e) {
            // The system refuses another thread. The existing threads will take the call.
            if (workers.isEmpty()) {
                throw e;
            }
        }
    }

    private void addWorker() {
        Worker worker = new Worker(name + "-" + (workers.size() + 1));
        workers.add(worker);
        boolean started = false;
        try {
            starter.accept(worker);
            started = true;
        } finally {
            if (!started) {
                workers.remove(worker);
            }
        }
    }

    /**
     * Withdraws a call that no thread has taken, or that its operation need not wait for.
     *
     * @param call a call that has been submitted
     * @return whether the operation can complete now; false if it must wait for the thread that has taken the call
     */
    public boolean withdraw(PooledCall call) {
        synchronized (this) {
            if (submitted.remove(call)) {
                return true;
            }
        }
        return call.abandon();
    }

    /**
     * Continues the operations whose calls have returned.
     *
     * @param outcomes receives the exceptions that this throws
     */
    public void resumePerformed(Outcomes outcomes) {
        PooledCall call = takePerformed();
        while (call != null) {
            PooledCall next = call.takeNextPerformed();
            call.resume(outcomes);
            call = next;
        }
    }

    /**
     * {@return the calls that have returned, linked by {@link PooledCall#takeNextPerformed}; null if there are none}
     */
    @Nullable PooledCall takePerformed() {
        // The read avoids a write to a shared cache line in each iteration of the loop.
        return performed.get() == null ? null : performed.getAndSet(null);
    }

    /**
     * Ends the threads and waits until they have terminated, except for threads whose calls have been abandoned: these
     * terminate when the calls return. Called when no call is left to be performed.
     */
    @Override
    public void close() {
        List<Worker> ending;
        synchronized (this) {
            closed = true;
            notifyAll();
            ending = List.copyOf(workers);
        }
        ending.forEach(Worker::awaitEnd);
        PooledCall untaken = takePerformed();
        while (untaken != null) {
            PooledCall next = untaken.takeNextPerformed();
            untaken.discard();
            untaken = next;
        }
    }

    // Called by threads of the pool

    /** {@return whether the worker has a call to make; false if it must terminate} */
    private synchronized boolean takeNext(Worker worker) {
        worker.current = null;
        while (submitted.isEmpty() && !closed) {
            idle++;
            try {
                wait();
            } catch (InterruptedException e) {
                // Only the close ends these threads. No other code has access to them.
            } finally {
                idle--;
            }
        }
        worker.current = submitted.poll();
        return worker.current != null;
    }

    private void handBack(PooledCall call) {
        PooledCall before;
        do {
            before = performed.get();
            call.nextPerformed = before;
        } while (!performed.compareAndSet(before, call));
        // If the list was not empty, a signal has been given for its first call, and no thread has taken the list yet.
        if (before == null) {
            signalUntilAccepted();
        }
    }

    /** Repeats the signal until it succeeds: threads that add a call later do not give one. */
    private void signalUntilAccepted() {
        boolean reported = false;
        while (performed.get() != null && !closed) {
            try {
                signal.run();
                return;
            } catch (RuntimeException | Error e) {
                if (!reported) {
                    failures.accept(e);
                }
                reported = true;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private final class Worker extends Thread {

        /**
         * The call that the thread makes. Taken under the pool's lock: a call that is withdrawn is either in the queue
         * or here.
         */
        private volatile @Nullable PooledCall current;

        Worker(String name) {
            super(name);
            setDaemon(true);
        }

        @Override
        public void run() {
            while (takeNext(this)) {
                PooledCall call = current;
                assert call != null;
                call.perform();
                if (call.arrives()) {
                    handBack(call);
                }
            }
        }

        void awaitEnd() {
            boolean interrupted = false;
            while (isAlive() && !isDetached()) {
                try {
                    join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean isDetached() {
            PooledCall call = current;
            return call != null && call.isAbandoned();
        }
    }
}
