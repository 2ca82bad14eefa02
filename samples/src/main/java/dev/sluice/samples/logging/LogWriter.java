package dev.sluice.samples.logging;

import dev.sluice.samples.server.LineDestination;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes batches of lines to their destinations, in a thread of its own, in the order they come. */
final class LogWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    private static final int FIRST_CAPACITY = 128 * 1024;

    private final List<LineDestination> destinations;
    private final BlockingQueue<LogBatch> queue;
    private final Queue<LogBatch> spare = new ConcurrentLinkedQueue<>();
    private final LogBatch end = new LogBatch(1, ByteBuffer::allocate);
    private final Thread thread = new Thread(this::run, "log-writer");
    private volatile Runnable roomAgain;
    private long lostBatches;

    /**
     * Makes the writer; its thread does not run yet.
     *
     * @param destinations owned by the writer from now on
     * @param capacity     how many batches may wait to be written
     */
    LogWriter(List<LineDestination> destinations, int capacity) {
        this.destinations = List.copyOf(destinations);
        this.queue = new ArrayBlockingQueue<>(capacity);
    }

    void start() {
        thread.start();
    }

    /** Sets what to run, in the writer's thread, each time that there is room in the queue again. */
    void whenRoomAgain(Runnable action) {
        roomAgain = action;
    }

    /** {@return whether the queue had room; the batch belongs to the writer then} */
    boolean offer(LogBatch batch) {
        return queue.offer(batch);
    }

    /** Waits until the queue has room; the batch belongs to the writer then. */
    void put(LogBatch batch) throws InterruptedException {
        queue.put(batch);
    }

    /** {@return an empty batch, for the next lines} */
    LogBatch emptyBatch() {
        LogBatch batch = spare.poll();
        return batch != null ? batch : new LogBatch(FIRST_CAPACITY, ByteBuffer::allocateDirect);
    }

    private void run() {
        try {
            for (LogBatch batch = queue.take(); batch != end; batch = queue.take()) {
                Runnable action = roomAgain;
                if (action != null) {
                    action.run();
                }
                write(batch.contents());
                batch.clear();
                spare.offer(batch);
            }
        } catch (InterruptedException e) {
            LOG.error("interrupted; lines may be lost", e);
        }
    }

    private void write(ByteBuffer lines) {
        int start = lines.position();
        for (LineDestination destination : destinations) {
            try {
                destination.write(lines.position(start));
            } catch (IOException e) {
                lostBatches++;
                LOG.error("{} bytes of lines are lost: {}", lines.remaining(), e.getMessage());
            }
        }
    }

    /** {@return how many batches could not be written; to be asked after the close} */
    long lostBatches() {
        return lostBatches;
    }

    /** Writes what is queued, waits for it, and closes the destinations. */
    @Override
    public void close() throws IOException {
        try {
            queue.put(end);
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (LineDestination destination : destinations) {
            destination.close();
        }
    }
}
