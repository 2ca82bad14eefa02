package dev.sluice.samples.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Writes lines to a destination that may stop taking them: a pipe without a reader, a terminal that Ctrl-S holds, a
 * slow disk. Its own thread waits there. Threads that add lines wait for nothing: lines for which there is no space are
 * dropped and counted, and the count is reported when the destination works again.
 */
public final class DroppingLineWriter {

    /** Hears of lines that are lost. Called by the writing thread. */
    public interface LossListener {

        /**
         * The destination has failed, for the first time since it worked.
         *
         * @param lines how many are lost so far
         * @param cause why
         */
        void failed(long lines, IOException cause);

        /**
         * The destination works again, and this place in its lines is where others are missing.
         *
         * @param lines how many are lost since it worked before
         * @return a line to write here, without its end; null for none
         */
        String resumed(long lines);
    }

    private static final int FIRST_CAPACITY = 32 * 1024;
    private static final byte[] LINE_FEED = {'\n'};

    private final LineDestination destination;
    private final LossListener listener;
    private final int capacity;
    private final Thread thread;

    /** What is to be written next. Guarded by this object, as are the other fields that are not the thread's own. */
    private ByteBuffer pending = ByteBuffer.allocate(0);
    private long dropped;
    /** Whether the thread writes. */
    private boolean writing;
    /** Number of lines that the thread is writing or will report. */
    private long unwritten;
    private boolean closed;
    private IOException closeFailure;

    /** The thread's own: how many lines were dropped behind those that it writes. */
    private long droppedBehind;
    /** The thread's own: how many lines are lost of which nothing has been reported. */
    private long lost;
    private boolean failing;
    /** The thread's own: whether the last byte that was written is no LF. */
    private boolean insideLine;

    /**
     * Starts the thread.
     *
     * @param name        of the thread
     * @param destination owned by this object from now on
     * @param capacity    the number of bytes that may be pending; as many again may be in the process of being written
     * @param listener    of losses
     */
    public DroppingLineWriter(String name, LineDestination destination, int capacity, LossListener listener) {
        this.destination = destination;
        this.capacity = capacity;
        this.listener = listener;
        this.thread = new Thread(this::run, name);
        // It may be stuck when the process ends.
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Adds lines, or drops all of them. For any thread.
     *
     * @param lines consumed, unless this object is closed
     * @return whether it is not closed
     */
    public synchronized boolean add(ByteBuffer lines) {
        if (closed) {
            return false;
        }
        if (lines.remaining() > capacity - pending.position()) {
            dropped += lineFeeds(lines);
            lines.position(lines.limit());
        } else {
            reserve(lines.remaining());
            pending.put(lines);
        }
        notifyAll();
        return true;
    }

    private void reserve(int size) {
        if (pending.remaining() < size) {
            int larger = Math.max(pending.position() + size, Math.max(2 * pending.capacity(), FIRST_CAPACITY));
            pending = ByteBuffer.allocate(Math.min(larger, capacity)).put(pending.flip());
        }
    }

    /**
     * Waits until all that has been added before is written.
     *
     * @param limit the maximum time to wait
     * @throws InterruptedException if the thread is interrupted
     */
    public synchronized void flush(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while ((hasWork() || writing) && end - System.nanoTime() > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(end - System.nanoTime(), 1));
        }
    }

    private boolean hasWork() {
        return pending.position() > 0 || dropped > 0;
    }

    private void run() {
        ByteBuffer lines = ByteBuffer.allocate(0);
        for (lines = exchange(lines); lines != null; lines = exchange(lines)) {
            try {
                write(lines);
            } catch (OutOfMemoryError e) {
                // The thread goes on, and reports what is missing once there is memory for that.
                lost += lineFeeds(lines);
                countDropped();
            }
        }
        try {
            destination.close();
        } catch (IOException e) {
            synchronized (this) {
                closeFailure = e;
            }
        }
    }

    /** Waits for lines, and takes all that are pending; null if none will come. */
    private synchronized ByteBuffer exchange(ByteBuffer written) {
        writing = false;
        notifyAll();
        while (!hasWork() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Only close() ends this thread.
                continue;
            }
        }
        if (!hasWork()) {
            return null;
        }
        writing = true;
        droppedBehind = dropped;
        dropped = 0;
        ByteBuffer lines = pending.flip();
        unwritten = lineFeeds(lines) + droppedBehind;
        pending = written.clear();
        return lines;
    }

    private void write(ByteBuffer lines) {
        try {
            endCutLine();
            destination.write(lines);
            insideLine = endsInsideLine(lines, insideLine);
            failing = false;
            countDropped();
            report();
        } catch (IOException e) {
            insideLine = endsInsideLine(lines, insideLine);
            lost += lineFeeds(lines);
            countDropped();
            if (!failing) {
                failing = true;
                listener.failed(lost, e);
            }
        }
    }

    /** A line of which a failure has left a part is no beginning of another one. */
    private void endCutLine() throws IOException {
        if (failing && insideLine) {
            destination.write(ByteBuffer.wrap(LINE_FEED));
            insideLine = false;
        }
    }

    private void countDropped() {
        lost += droppedBehind;
        droppedBehind = 0;
    }

    private void report() throws IOException {
        if (lost == 0) {
            return;
        }
        String line = listener.resumed(lost);
        if (line != null) {
            destination.write(ByteBuffer.wrap(((insideLine ? "\n" : "") + line + "\n").getBytes(UTF_8)));
            insideLine = false;
        }
        lost = 0;
    }

    private static boolean endsInsideLine(ByteBuffer lines, boolean before) {
        return lines.position() == 0 ? before : lines.get(lines.position() - 1) != '\n';
    }

    private static long lineFeeds(ByteBuffer lines) {
        long count = 0;
        for (int at = lines.position(); at < lines.limit(); at++) {
            count += lines.get(at) == '\n' ? 1 : 0;
        }
        return count;
    }

    /**
     * Takes no more lines, writes those that are pending and closes the destination, in its own thread. If the
     * destination is stuck, that is left to this thread when the limit is over; until then its descriptor stays open.
     *
     * @param limit the maximum time to wait
     * @return the number of lines that have not been written by then, some of which the destination may have taken
     *         nevertheless
     * @throws IOException if the destination cannot be closed in order
     */
    public long close(Duration limit) throws IOException {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            TimeUnit.MILLISECONDS.timedJoin(thread, limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (closeFailure != null) {
                throw closeFailure;
            }
            return thread.isAlive() ? unwritten + lineFeeds(pending.duplicate().flip()) + dropped : 0;
        }
    }
}
