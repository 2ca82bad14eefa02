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

/**
 * Threads for the calls that wait for a disk, because no demultiplexer can tell when such a call would not wait. There
 * are no threads until there is something to do, and never more than can be busy.
 *
 * <p>The threads first take what operates on the handles of the highest
 * {@linkplain dev.sluice.demultiplexer.spi.Association#prioritize priority}, and among these what was begun first: the
 * strategy by which the Proactor paper lets initiators prioritize operations ("Scheduling, controlling, and canceling
 * asynchronously running operations"). Low priorities wait for as long as there are higher ones.
 *
 * <p>Calls enter through a queue with a lock, which is held for a few instructions; they go back, linked to one
 * another, without a lock.
 */
public final class FilePool implements AutoCloseable {

    /**
     * System property with the maximum number of threads of such a pool, 1 to 1024. While all of them wait for a disk
     * or a network file system, all other calls of the pool wait.
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
     * @param maxThreads how many there may be, at least 1
     * @param signal     makes a thread call {@link #resumePerformed}; called by the pool's threads, again and again
     *                   while the system refuses it
     * @param failures   receives the first failure of each signal
     * @throws IllegalArgumentException if no thread is allowed
     */
    public FilePool(String name, int maxThreads, Runnable signal, Consumer<Throwable> failures) {
        this(name, maxThreads, signal, failures, Thread::start);
    }

    /** Creates a pool whose threads the given starter starts, so that a test can let starting fail. */
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
     * @throws IllegalArgumentException if that is no possible number; the message names it
     */
    public static int configuredThreads() {
        return IntegerProperty.of(MAX_PROPERTY, 1, MAX_CONFIGURED, DEFAULT_MAX);
    }

    // Only inside

    /**
     * Queues a call to be performed. If there is neither a thread nor memory for it, and no other thread would make it
     * later, as for a close, the caller makes it.
     *
     * @param call of an operation that is begun
     * @throws OutOfMemoryError if it is neither queued nor made
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
        // Or a change of the queue might be left in the middle.
        StackReserve.require();
        HandleAssociation association = call.operation().association();
        call.priority = association == null ? 0 : association.priority();
        call.number = ++lastNumber;
        if (submitted.size() >= idle && workers.size() < maxThreads) {
            // First, since it may fail: a call that is in the queue is performed, even if its operation has completed
            // with an error.
            addWorkerIfPossible();
        }
        submitted.add(call);
        notify();
    }

    private void addWorkerIfPossible() {
        try {
            addWorker();
        } catch (OutOfMemoryError e) {
            // The system refuses another thread, which Java says in this way. Those there are come to it.
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
     * Tries to keep a call from being performed, or from being waited for.
     *
     * @param call submitted
     * @return true if its operation need not wait for it; false if a thread has taken it already, and must be waited
     *         for
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
     * Continues the operations whose calls have been performed.
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

    /** {@return the calls that have been performed, linked by {@link PooledCall#takeNextPerformed}; or null} */
    PooledCall takePerformed() {
        // Looking first spares the loop a write to a shared cache line in every turn.
        return performed.get() == null ? null : performed.getAndSet(null);
    }

    /**
     * Ends the threads and waits until they have ended, except for those whose calls have been abandoned: these end
     * when the system lets them. Called when nothing is left to be performed.
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

    // Called by the pool's threads

    /** {@return whether there is something for it to perform; false when it should end} */
    private synchronized boolean takeNext(Worker worker) {
        worker.current = null;
        while (submitted.isEmpty() && !closed) {
            idle++;
            try {
                wait();
            } catch (InterruptedException e) {
                // Only the close ends these threads; no other code has access to them to interrupt them.
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
        // If the list was not empty, its first call has been signalled, and no thread has taken it yet.
        if (before == null) {
            signalUntilHeard();
        }
    }

    /**
     * Repeats the signal until it succeeds: threads that add a call later rely on it, so none of them would give it.
     */
    private void signalUntilHeard() {
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

        /** What it is performing, taken under the pool's lock, since what is withdrawn is either there or here. */
        private volatile PooledCall current;

        Worker(String name) {
            super(name);
            setDaemon(true);
        }

        @Override
        public void run() {
            while (takeNext(this)) {
                PooledCall call = current;
                call.perform();
                if (call.arrives()) {
                    handBack(call);
                }
            }
        }

        void awaitEnd() {
            boolean interrupted = false;
            while (isAlive() && !isLeftBehind()) {
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

        private boolean isLeftBehind() {
            PooledCall call = current;
            return call != null && call.isAbandoned();
        }
    }
}
