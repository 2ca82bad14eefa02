package dev.sluice.proactor;

import dev.sluice.failure.Failures;
import dev.sluice.failure.ShutdownWait;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several threads, each of which runs a proactor of its own, on any demultiplexer. What is started on one of them is
 * dispatched by its thread alone, so handlers on the same proactor need no lock; but the threads do not help each other
 * out, unlike threads that run one {@link Proactor} on a concurrent demultiplexer.
 *
 * <p>A proactor that fails (see {@link dev.sluice.eventloop.EventLoop} for how that can happen), or is stopped, is
 * closed, and so are the connections that it was handed and had not got to yet; the failure is logged as an error. The
 * others continue: {@link #next()} leaves it out, and so does a {@link dev.sluice.connection.ProactiveAcceptor}.
 */
public final class ProactorGroup implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProactorGroup.class);

    private final List<Proactor> proactors = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private volatile boolean closing;
    private volatile Throwable failure;

    /**
     * Opens the proactors and starts their threads.
     *
     * @param demultiplexer a name as for {@link Proactor#open(String)}
     * @param count         the number of proactors, at least 1
     * @param factory       makes the threads, which should be platform threads
     * @throws IOException if the system refuses
     */
    public ProactorGroup(String demultiplexer, int count, ThreadFactory factory) throws IOException {
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count);
        }
        try {
            for (int i = 0; i < count; i++) {
                Proactor proactor = Proactor.open(demultiplexer);
                proactors.add(proactor);
                threads.add(factory.newThread(() -> run(proactor)));
            }
            threads.forEach(Thread::start);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void run(Proactor proactor) {
        try {
            proactor.run();
        } catch (Throwable e) {
            // A thread that starts running after the close has begun finds the closing thread inside the loop.
            if (!(closing && e instanceof IllegalStateException)) {
                failure = e;
                HookFailure.log(LOG, proactor + " has failed and is left out from now on", e);
            }
        } finally {
            // No other thread can end operations that are tied to this one, as long as this one lives.
            proactor.close();
        }
    }

    /** {@return the proactors, including those that have failed} */
    public List<Proactor> proactors() {
        return List.copyOf(proactors);
    }

    /**
     * {@return the next of the open proactors, round-robin}
     *
     * @throws IllegalStateException if none is open; the cause is what the last of them failed with
     */
    public Proactor next() {
        for (int i = 0; i < proactors.size(); i++) {
            Proactor proactor = proactors.get(Math.floorMod(next.getAndIncrement(), proactors.size()));
            if (proactor.isOpen()) {
                return proactor;
            }
        }
        throw new IllegalStateException("no proactor of the group is open", failure);
    }

    /**
     * Closes the proactors, and waits for their threads to end, unless it is called by one of them. What closing one of
     * them throws is thrown when all are closed and all threads have ended; but if that is for lack of memory, at once,
     * and the next close continues.
     *
     * @throws IllegalStateException if the virtual machine shuts down, and one of the threads has called
     *                               {@link System#exit} in a hook, see {@link Proactor#close()}
     */
    @Override
    public void close() {
        StackReserve.requireForEnd();
        closing = true;
        Throwable failure = null;
        for (Proactor proactor : proactors) {
            try {
                closeUnlessLeft(proactor);
            } catch (RuntimeException | Error e) {
                failure = Failures.and(failure, e);
            }
        }
        if (failure != null && Failures.isShortage(failure)) {
            // A thread may not have been woken up, so a wait for its end might never return.
            Failures.throwFirst(failure);
        }
        awaitThreads();
        for (Proactor proactor : proactors) {
            try {
                proactor.close();
            } catch (RuntimeException | Error e) {
                failure = Failures.and(failure, e);
            }
        }
        Failures.throwFirst(failure);
    }

    private static void closeUnlessLeft(Proactor proactor) {
        try {
            proactor.close();
        } catch (IllegalStateException e) {
            // Its thread has stopped running it, and is about to close it; when that has ended, it is tried again.
            LOG.debug("{} will be closed by its loop thread", proactor, e);
        }
    }

    private void awaitThreads() {
        boolean interrupted = false;
        long began = System.nanoTime();
        try {
            for (Thread thread : threads) {
                while (thread != Thread.currentThread() && thread.isAlive()) {
                    try {
                        thread.join(ShutdownWait.STEP_MILLIS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                    ShutdownWait.requireReturn(this, thread, began);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
