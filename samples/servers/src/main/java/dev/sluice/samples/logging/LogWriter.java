package dev.sluice.samples.logging;

import dev.sluice.samples.server.OptionValues;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches of lines to their outlets, one after the other, in a thread of its own, in the order they come. Hence
 * an outlet that is stuck holds up all of them. Batches are handed over by one thread at a time.
 */
final class LogWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    private static final int FIRST_CAPACITY = 128 * 1024;
    private static final int MAX_SPARE = 8;

    private final List<LogOutlet> outlets;
    private final BlockingQueue<LogBatch> queue;
    /** Limited: the batches of a full queue are not all retained once it is empty. */
    private final Queue<LogBatch> spare = new ArrayBlockingQueue<>(MAX_SPARE);
    private final LogBatch end = new LogBatch(1, ByteBuffer::allocate);
    private final LogBatch wakeUp = new LogBatch(1, ByteBuffer::allocate);
    private final GracePeriod grace;
    private final Thread thread;
    private volatile Runnable spaceAvailable;
    private volatile boolean reopening;
    private volatile boolean failed;
    private long handedOver;
    private boolean lossless;

    private LogWriter(List<LogOutlet> outlets, int capacity, GracePeriod grace, Consumer<Throwable> onFailure) {
        this.outlets = List.copyOf(outlets);
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.grace = grace;
        this.thread = new Thread(() -> run(onFailure), "log-writer");
        // It may be stuck when the process ends.
        thread.setDaemon(true);
    }

    /**
     * Creates a writer and starts its thread.
     *
     * @param outlets   owned by the writer from now on
     * @param capacity  the number of batches that may wait to be written
     * @param grace     how long {@link #close()} waits at most
     * @param onFailure called with the cause, on the writer's thread, if it ends early
     * @return the writer
     */
    static LogWriter start(List<LogOutlet> outlets, int capacity, GracePeriod grace, Consumer<Throwable> onFailure) {
        LogWriter writer = new LogWriter(outlets, capacity, grace, onFailure);
        writer.thread.start();
        return writer;
    }

    /** Sets the action to run on the writer's thread each time that the queue has space again. */
    void whenSpaceAvailable(Runnable action) {
        spaceAvailable = action;
    }

    /** {@return whether the queue had space; if so, the batch belongs to the writer} */
    boolean offer(LogBatch batch) {
        // The writer may have emptied it as soon as it has it.
        int lines = batch.lines();
        boolean offered = queue.offer(batch);
        if (offered) {
            handedOver += lines;
        }
        return offered;
    }

    /** Hands over the last batch, which is lost if the queue has no space within the grace period. */
    void offerLast(LogBatch batch) {
        if (batch.lines() > 0) {
            handedOver += batch.lines();
            offerWithinGrace(batch);
        }
    }

    /** Reopens the outlets before the next batch is written. From any thread. */
    void reopen() {
        reopening = true;
        // If the queue is full, the thread has batches to take, and checks the flag before it writes them.
        queue.offer(wakeUp);
    }

    /** {@return an empty batch, for the next lines} */
    LogBatch emptyBatch() {
        LogBatch batch = spare.poll();
        return batch != null ? batch : new LogBatch(FIRST_CAPACITY, ByteBuffer::allocateDirect);
    }

    private void run(Consumer<Throwable> onFailure) {
        try {
            for (LogBatch batch = queue.take(); batch != end; batch = queue.take()) {
                Runnable action = spaceAvailable;
                if (action != null) {
                    action.run();
                }
                if (reopening) {
                    reopening = false;
                    outlets.forEach(LogOutlet::reopen);
                }
                if (batch != wakeUp) {
                    write(batch);
                }
            }
            outlets.forEach(LogOutlet::close);
        } catch (InterruptedException | RuntimeException | Error e) {
            LOG.error("the writer has failed", e);
            failed = true;
            onFailure.accept(e);
        }
    }

    private void write(LogBatch batch) {
        for (LogOutlet outlet : outlets) {
            outlet.write(batch);
        }
        batch.clear();
        release(batch);
    }

    /** Keeps an empty batch for later. From any thread. */
    void release(LogBatch batch) {
        if (batch.capacity() == FIRST_CAPACITY) {
            spare.offer(batch);
        }
    }

    private boolean offerWithinGrace(LogBatch batch) {
        try {
            return thread.isAlive() && queue.offer(batch, grace.nanosLeft(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Writes what is queued and closes the outlets, or gives up when the grace period is over. Says how many records
     * are lost: those whose write has not returned, of which a stuck outlet may have taken some.
     */
    @Override
    public void close() {
        if (offerWithinGrace(end)) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, grace.nanosLeft());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        boolean late = thread.isAlive();
        lossless = !failed;
        for (LogOutlet outlet : outlets) {
            long lost = handedOver - outlet.written();
            reportLoss(lost, outlet, late);
            lossless &= lost == 0 && !outlet.hasFailedToClose();
        }
    }

    private void reportLoss(long lost, LogOutlet outlet, boolean late) {
        String seconds = OptionValues.inSeconds(grace.length());
        if (lost > 0 && late) {
            LOG.error("{}: up to {} records lost, not written {} s after the stop began", outlet, lost, seconds);
        } else if (lost > 0) {
            LOG.error("{}: {} records lost", outlet, lost);
        } else if (late) {
            LOG.warn("{}: written, but possibly not on the disk {} s after the stop began", outlet, seconds);
        }
    }

    /** {@return whether every outlet has taken every record; to be asked after the close} */
    boolean isLossless() {
        return lossless;
    }
}
