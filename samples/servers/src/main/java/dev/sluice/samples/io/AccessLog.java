package dev.sluice.samples.io;

import dev.sluice.samples.server.DroppingLineWriter;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.LineDestination;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access log in Common Log Format. Each loop collects its own lines and writes them in batches, when there are many
 * or at a sweep of its deadlines; so the lines of several loops are only approximately in order of time. No loop waits
 * for the destination: lines that it does not take in time are dropped, and counted in the server's own log.
 */
public final class AccessLog implements Closeable, DroppingLineWriter.LossListener {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final int ENOUGH = 16 * 1024;
    private static final int MAX_PENDING = 1 << 20;
    /** How long a destination that is replaced may take to write what is pending. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Those that have something to write. Others are left to their loops, with which they go. */
    private final Set<Lines> pending = ConcurrentHashMap.newKeySet();
    private volatile DroppingLineWriter writer;

    /**
     * Creates the log.
     *
     * @param destination of its lines, owned by this object from now on; null if there is none for the time being
     */
    public AccessLog(LineDestination destination) {
        this.writer = destination == null ? null : newWriter(destination);
    }

    /**
     * Replaces the destination, for example after a log file has been moved. Earlier lines are still written to the old
     * one. For any thread, and while others add lines.
     *
     * @param next owned by this object from now on; null if there is to be none
     * @throws IOException if the destination until now cannot be closed in order; it is replaced nevertheless
     */
    public void replace(LineDestination next) throws IOException {
        flush();
        DroppingLineWriter previous;
        synchronized (this) {
            previous = writer;
            writer = next == null ? null : newWriter(next);
        }
        if (previous != null) {
            long lost = previous.close(TIMEOUT);
            if (lost > 0) {
                LOG.error("access log: up to {} lines are lost, not written within {} s", lost, TIMEOUT.toSeconds());
            }
        }
    }

    private DroppingLineWriter newWriter(LineDestination destination) {
        return new DroppingLineWriter("access-log", destination, MAX_PENDING, this);
    }

    /** {@return whether there is a destination} */
    public boolean isKept() {
        return writer != null;
    }

    private void flush() {
        pending.forEach(Lines::flush);
    }

    /** {@return lines for one more loop} Writes the last lines of loops that have ended, which nothing else retains. */
    Lines newLines() {
        flush();
        return new Lines();
    }

    private void write(ByteBuffer lines) {
        DroppingLineWriter current = writer;
        // One that is closed has been replaced.
        while (current != null && !current.add(lines)) {
            current = writer;
        }
    }

    @Override
    public void failed(long lines, IOException cause) {
        LOG.error("access log: {} lines are lost; further ones will be until it works again: {}", lines,
                FileProblem.describe(cause));
    }

    @Override
    public String resumed(long lines) {
        LOG.warn("access log: works again; {} lines were dropped because it was too slow or had failed", lines);
        return null;
    }

    /** Writes the remaining lines, after the loops have ended, and closes the destination. */
    @Override
    public void close() throws IOException {
        replace(null);
    }

    /** The lines of one loop that have not been written yet. For all threads that serve its connections. */
    public final class Lines {

        private final StringBuilder text = new StringBuilder();
        private ByteBuffer octets = ByteBuffer.allocateDirect(2 * ENOUGH);

        private Lines() {
        }

        /**
         * Adds a line, with the time of this call. Does nothing while the log has no destination.
         *
         * @param client  its address
         * @param request what was asked, with an octet to a character; may contain anything
         * @param status  the outcome, in the three digits of HTTP, which those who read such logs know
         * @param sent    how many octets of the body were sent
         */
        public synchronized void add(String client, String request, int status, long sent) {
            if (!isKept()) {
                return;
            }
            if (text.isEmpty()) {
                pending.add(this);
            }
            CommonLog.append(text, client, System.currentTimeMillis() / 1000, request, status, sent);
            if (text.length() >= ENOUGH) {
                flush();
            }
        }

        synchronized void flush() {
            if (!text.isEmpty()) {
                writeText();
            }
            // Not before the write: a replacement of the destination waits for it by the lock of these lines.
            pending.remove(this);
        }

        private void writeText() {
            if (octets.capacity() < text.length()) {
                octets = ByteBuffer.allocateDirect(2 * text.length());
            }
            octets.clear();
            for (int i = 0; i < text.length(); i++) {
                // The format is ASCII.
                octets.put((byte) text.charAt(i));
            }
            text.setLength(0);
            write(octets.flip());
        }
    }
}
