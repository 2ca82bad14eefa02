package dev.sluice.demultiplexer.operation;

import dev.sluice.failure.StackReserve;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
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
 * list without a lock. While calls return within {@value #QUICK_MICROS} microseconds, because the system has what they
 * need in its cache, a thread takes several at a time, and gives one signal for all of them, as far as the thread
 * inside {@linkplain #bound limits its waits}. If one of them waits nevertheless, the thread inside finds the results
 * of the others after {@value #HELD_MILLIS} ms at most, and takes back those that have not been begun.
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
    /** The duration below which a call is quick. */
    private static final int QUICK_MICROS = 50;
    private static final long QUICK_NANOS = TimeUnit.MICROSECONDS.toNanos(QUICK_MICROS);
    /** The maximum time for which a result is held without a signal, in milliseconds. */
    private static final int HELD_MILLIS = 1;
    private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(HELD_MILLIS);

    private final String name;
    private final int maxThreads;
    private final Consumer<Thread> starter;
    private final PerformedCalls performed;
    /** Whether the latest call returned quickly. */
    private volatile boolean quick;
    /**
     * Whether the thread inside limits its waits, so that results may be held, and several calls taken. Written by that
     * thread under the lock.
     */
    private volatile boolean mayHold;

    // Used inside
    /** The number of calls that have been submitted, and have been neither resumed nor withdrawn. */
    private int outstanding;
    private boolean unannounced;
    /** The time at which a limited wait has begun; 0 outside of it. */
    private long waitBegin;

    // Guarded by this
    private final Queue<PooledCall> submitted = new PriorityQueue<>(
            Comparator.<PooledCall>comparingInt(call -> call.priority).reversed()
                    .thenComparingLong(call -> call.number));
    /** The calls that have been taken back from threads, to be made first. */
    private @Nullable PooledCall firstTakenBack;
    private final List<FilePoolThread> workers = new ArrayList<>();
    /** Whether a thread has taken several calls since calls were last taken back. */
    private boolean severalTaken;
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
    FilePool(String name, int maxThreads, Runnable signal, Consumer<Throwable> failures, Consumer<Thread> starter) {
        if (maxThreads < 1) {
            throw new IllegalArgumentException("threads: " + maxThreads);
        }
        this.starter = starter;
        this.name = name;
        this.maxThreads = maxThreads;
        this.performed = new PerformedCalls(signal, failures);
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
        submitQuietly(call);
        announce();
    }

    /** As {@link #submit}, but threads that are idle begin only after the next {@link #announce}. */
    public void submitQuietly(PooledCall call) {
        try {
            queue(call);
            unannounced = true;
        } catch (OutOfMemoryError e) {
            if (call.operation().arguments().canBeCancelled()) {
                throw e;
            }
            call.perform();
            performed.add(call);
            performed.signal();
        }
        outstanding++;
    }

    /** Wakes idle threads for the calls that have been submitted quietly. Must be called before each wait. */
    public void announce() {
        if (unannounced) {
            unannounced = false;
            wakeIdle();
        }
    }

    private synchronized void wakeIdle() {
        for (int i = Math.min(idle, submitted.size()); i > 0; i--) {
            notify();
        }
    }

    /**
     * Prepares for a wait of the thread inside that a signal ends, and allows results to be held for a short time.
     *
     * @param timeoutNanos the maximum time to wait; negative means no limit
     * @return the maximum time to wait, which may be shorter
     */
    public long bound(long timeoutNanos) {
        if (outstanding == 0 && !mayHold) {
            return timeoutNanos;
        }
        boolean holds = quick && outstanding > 0;
        if (holds != mayHold) {
            setMayHold(holds);
        }
        waitBegin = holds ? System.nanoTime() : 0;
        // After that: a thread that holds a result adds it to the list before it looks whether it may.
        if (!performed.isEmpty()) {
            return 0;
        }
        return holds && (timeoutNanos < 0 || timeoutNanos > HELD_NANOS) ? HELD_NANOS : timeoutNanos;
    }

    private synchronized void setMayHold(boolean holds) {
        mayHold = holds;
        if (!holds) {
            takeBack();
        }
    }

    /** Takes back the calls that threads have taken with others and not begun. Called under the lock. */
    private void takeBack() {
        if (!severalTaken) {
            return;
        }
        severalTaken = false;
        for (FilePoolThread worker : workers) {
            firstTakenBack = worker.takeBack(firstTakenBack);
        }
        if (firstTakenBack != null) {
            notifyAll();
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
        FilePoolThread worker = new FilePoolThread(this, name + "-" + (workers.size() + 1));
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
        boolean withdrawn = removeSubmitted(call) || call.abandon();
        outstanding -= withdrawn ? 1 : 0;
        return withdrawn;
    }

    private synchronized boolean removeSubmitted(PooledCall call) {
        if (submitted.remove(call)) {
            return true;
        }
        takeBack();
        PooledCall before = null;
        for (PooledCall each = firstTakenBack; each != null; each = each.nextPerformed) {
            if (each == call) {
                PooledCall after = call.takeNextPerformed();
                if (before == null) {
                    firstTakenBack = after;
                } else {
                    before.nextPerformed = after;
                }
                return true;
            }
            before = each;
        }
        return false;
    }

    /**
     * Continues the operations whose calls have returned.
     *
     * @param outcomes receives the exceptions that this throws
     */
    public void resumePerformed(Outcomes outcomes) {
        if (waitBegin != 0) {
            if (!performed.isSignalled() && System.nanoTime() - waitBegin >= HELD_NANOS) {
                // A call waits for the disk, or for the processor.
                quick = false;
            }
            waitBegin = 0;
        }
        PooledCall call = performed.take();
        while (call != null) {
            PooledCall next = call.takeNextPerformed();
            outstanding--;
            call.resume(outcomes);
            call = next;
        }
    }

    /** As {@link PerformedCalls#take}. */
    @Nullable PooledCall takePerformed() {
        return performed.take();
    }

    /**
     * Ends the threads and waits until they have terminated, except for threads whose calls have been abandoned: these
     * terminate when the calls return. Called when no call is left to be performed.
     */
    @Override
    public void close() {
        List<FilePoolThread> ending;
        synchronized (this) {
            closed = true;
            performed.close();
            notifyAll();
            ending = List.copyOf(workers);
        }
        ending.forEach(FilePoolThread::awaitEnd);
        PooledCall untaken = takePerformed();
        while (untaken != null) {
            PooledCall next = untaken.takeNextPerformed();
            untaken.discard();
            untaken = next;
        }
    }

    // Called by threads of the pool

    /** {@return whether there is a call for the thread, which has taken it, and possibly others} */
    synchronized boolean take(FilePoolThread worker) {
        int most = 1;
        if (quick && mayHold) {
            most = Math.min(FilePoolThread.MAX_TAKEN, 1 + submitted.size() / workers.size());
        }
        worker.clear();
        PooledCall call;
        for (int i = 0; i < most && (call = pollSubmitted()) != null; i++) {
            worker.add(call);
        }
        int count = worker.begin();
        severalTaken |= count > 1;
        return count > 0;
    }

    private @Nullable PooledCall pollSubmitted() {
        PooledCall first = firstTakenBack;
        if (first == null) {
            return submitted.poll();
        }
        firstTakenBack = first.takeNextPerformed();
        return first;
    }

    /** {@return whether there may be a call, for which this method waits; false if the thread must terminate} */
    synchronized boolean awaitSubmission() {
        while (submitted.isEmpty() && firstTakenBack == null && !closed) {
            idle++;
            try {
                wait();
            } catch (InterruptedException e) {
                // Only the close ends these threads. No other code has access to them.
            } finally {
                idle--;
            }
        }
        return !submitted.isEmpty() || firstTakenBack != null;
    }

    /** Makes the calls that a thread has taken, and hands them back. */
    void perform(FilePoolThread worker) {
        long begin = System.nanoTime();
        PooledCall call;
        while ((call = worker.poll()) != null) {
            call.perform();
            long end = System.nanoTime();
            boolean isQuick = end - begin < QUICK_NANOS;
            if (isQuick != quick) {
                quick = isQuick;
            }
            if (call.arrives()) {
                handBack(call, worker, begin, end);
            }
            begin = end;
        }
    }

    private void handBack(PooledCall call, FilePoolThread worker, long begin, long end) {
        // Added before this thread looks whether it may hold the result.
        performed.add(call);
        if (worker.heldSince == 0) {
            worker.heldSince = begin;
        }
        if (!mayHold || end - worker.heldSince >= QUICK_NANOS) {
            signalHeld(worker);
        }
    }

    /** Gives a signal for the results that are held. */
    void signalHeld(FilePoolThread worker) {
        worker.heldSince = 0;
        performed.signal();
    }
}
