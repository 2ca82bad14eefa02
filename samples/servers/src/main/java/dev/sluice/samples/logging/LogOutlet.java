package dev.sluice.samples.logging;

import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.LineDestination;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A destination of the writer. Records that it does not accept are lost, and counted; the loss is logged when it
 * begins, every ten seconds while it lasts, and when it ends. For the writer's thread, unless a method says otherwise.
 */
final class LogOutlet {

    private static final Logger LOG = LoggerFactory.getLogger(LogOutlet.class);
    private static final long BETWEEN_REPORTS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** How a destination is opened. */
    @FunctionalInterface
    interface Opener {

        LineDestination open() throws IOException;
    }

    private final String name;
    private final Opener opener;
    private LineDestination destination;
    private final ByteBuffer lineFeed = ByteBuffer.allocateDirect(1).put(0, (byte) '\n');
    private volatile long written;
    private volatile boolean closeFailed;
    private long lost;
    /** The number of lost records that have been reported. */
    private long lostAndReported;
    private boolean endsInCutLine;
    private boolean failing;
    private long lastReport = System.nanoTime() - BETWEEN_REPORTS_NANOS;

    /**
     * Opens an outlet.
     *
     * @param name   for messages
     * @param opener of its destination, which the outlet owns
     */
    LogOutlet(String name, Opener opener) throws IOException {
        this.name = name;
        this.opener = opener;
        this.destination = opener.open();
    }

    /** Writes the lines, waiting if need be. */
    void write(LogBatch batch) {
        ByteBuffer lines = batch.contents();
        try {
            if (endsInCutLine) {
                destination.write(lineFeed.clear());
                endsInCutLine = false;
            }
            destination.write(lines);
            written = written + batch.lines();
            worksAgain();
        } catch (IOException e) {
            int linesLost = lineFeeds(lines);
            written = written + batch.lines() - linesLost;
            lost += linesLost;
            if (lines.position() > 0) {
                endsInCutLine = lines.get(lines.position() - 1) != '\n';
            }
            fails(e);
        }
    }

    // Each line that has not been written to its end still has its LF ahead.
    private static int lineFeeds(ByteBuffer lines) {
        int count = 0;
        for (int at = lines.position(); at < lines.limit(); at++) {
            count += lines.get(at) == '\n' ? 1 : 0;
        }
        return count;
    }

    private void fails(IOException cause) {
        if (isReportDue()) {
            failing = true;
            markReported();
            LOG.error("{} fails, {} records lost so far: {}", name, lost, FileProblem.describe(cause));
        }
    }

    private void worksAgain() {
        // Something may have been lost since the last report, too soon after it for another one.
        if (failing || lost != lostAndReported && isReportDue()) {
            failing = false;
            markReported();
            LOG.warn("{} works again, {} records lost so far", name, lost);
        }
    }

    private boolean isReportDue() {
        return System.nanoTime() - lastReport >= BETWEEN_REPORTS_NANOS;
    }

    private void markReported() {
        lastReport = System.nanoTime();
        lostAndReported = lost;
    }

    /** {@return the number of records that it has taken; from any thread} */
    long written() {
        return written;
    }

    /** {@return whether closing a destination has failed, which may have lost what it had taken; from any thread} */
    boolean hasFailedToClose() {
        return closeFailed;
    }

    /** Reopens the destination, after a log rotation, and then closes the old one, which stays in use if this fails. */
    void reopen() {
        LineDestination fresh;
        try {
            fresh = opener.open();
        } catch (IOException e) {
            LOG.error("{} cannot be reopened, records are still written to the old destination: {}", name,
                    FileProblem.describe(e));
            reportIfDeleted();
            return;
        }
        close();
        destination = fresh;
        // Of a file, the destination itself looks how it ends.
        endsInCutLine = false;
    }

    /** Logs an error if the file has been deleted: writing to it succeeds, but what is written is lost at the close. */
    private void reportIfDeleted() {
        if (destination.isDeleted()) {
            LOG.error("{} has been deleted: records that are written there since are lost", name);
        }
    }

    /** Closes the destination. */
    void close() {
        reportIfDeleted();
        try {
            destination.close();
        } catch (IOException e) {
            closeFailed = true;
            LOG.error("closing {} has failed, its last records may be lost: {}", name,
                    FileProblem.describe(e));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
