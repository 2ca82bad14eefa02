package dev.sluice.samples.logging;

import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.OptionValues;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes records from all sources, and hands the lines of one loop iteration to the writer as a batch. When the writer's
 * queue is full, or there is no memory for another batch, it pauses the sources; what they are just receiving still
 * finds room. For the loop thread.
 */
final class RecordCollector implements AutoCloseable {

    /** Where records come from. */
    interface Source {

        /** Receive nothing until {@link #resume()}. */
        void pause();

        /** There is room again. */
        void resume();

        /** Receive nothing any more, and close. */
        void end();
    }

    private static final Logger LOG = LoggerFactory.getLogger(RecordCollector.class);
    private static final int BATCH_SIZE = 64 * 1024;
    /** Between two attempts while memory lacks. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Reactor reactor;
    private final LogWriter writer;
    private final SyslogParser parser = new SyslogParser();
    private final LoggingCounts counts = new LoggingCounts();
    private final Complaints complaints = new Complaints();
    private final Set<Source> sources = new LinkedHashSet<>();
    private final GracePeriod grace;
    private final Runnable handOver = this::handOver;
    private LogBatch batch;
    private boolean handOverScheduled;
    /** Whether a timer makes the next attempt. */
    private boolean awaitingMemory;
    private volatile boolean paused;

    RecordCollector(Reactor reactor, LogWriter writer, GracePeriod grace) {
        this.reactor = reactor;
        this.writer = writer;
        this.grace = grace;
        this.batch = writer.emptyBatch();
        writer.whenSpaceAvailable(this::spaceAvailable);
    }

    // In the writer's thread.
    private void spaceAvailable() {
        if (paused) {
            try {
                reactor.execute(this::resume);
            } catch (RejectedExecutionException e) {
                // The loop has ended, and close() does what is left.
                paused = false;
            }
        }
    }

    LoggingCounts counts() {
        return counts;
    }

    void open(Source source) {
        sources.add(source);
        if (paused) {
            source.pause();
        }
    }

    void close(Source source) {
        sources.remove(source);
    }

    boolean isPaused() {
        return paused;
    }

    void accept(Object source, byte[] array, int offset, int length) {
        SyslogRecord record = parser.parse(array, offset, length);
        if (record.format() == SyslogFormat.MALFORMED) {
            counts.malformed++;
            complaints.about(source, "malformed record: " + record.reason());
            return;
        }
        counts.records++;
        batch.append(array, offset, length);
        if (batch.size() >= BATCH_SIZE) {
            handOver();
        } else if (!handOverScheduled) {
            // Tasks run at the end of the iteration: few records wait for company, and none for long.
            handOverScheduled = true;
            reactor.execute(handOver);
        }
    }

    void complain(Object source, String what) {
        complaints.about(source, what);
    }

    private void handOver() {
        handOverScheduled = false;
        if (batch.size() == 0 || paused || offered()) {
            return;
        }
        paused = true;
        // The writer may have made room just before it could see the pause.
        if (offered()) {
            paused = false;
        } else {
            List.copyOf(sources).forEach(Source::pause);
        }
    }

    private boolean offered() {
        LogBatch next;
        try {
            // First of all: no batch may be both the writer's and this object's.
            next = writer.emptyBatch();
        } catch (OutOfMemoryError e) {
            awaitMemory(e);
            return false;
        }
        boolean offered = writer.offer(batch);
        if (offered) {
            batch = next;
        } else {
            writer.release(next);
        }
        return offered;
    }

    /** The writer may have nothing left to write, so a timer makes the next attempt. */
    private void awaitMemory(OutOfMemoryError cause) {
        if (awaitingMemory) {
            return;
        }
        reactor.schedule(token -> tryAgain(), null, PAUSE);
        awaitingMemory = true;
        if (!paused) {
            LOG.warn("receiving is paused: {}", cause.toString());
        }
    }

    private void tryAgain() {
        awaitingMemory = false;
        resume();
    }

    private void resume() {
        if (paused && offered()) {
            paused = false;
            for (Source source : List.copyOf(sources)) {
                // What the first of them receive may fill the queue again, and all of them are paused then.
                if (!paused) {
                    source.resume();
                }
            }
        }
    }

    /** Ends the sources that have not finished; what they have sent and the server has not received is lost. */
    void endSources() {
        LOG.warn("closing {} sources of records that did not finish within {} s", sources.size(),
                OptionValues.inSeconds(grace.forSources()));
        List.copyOf(sources).forEach(Source::end);
    }

    /** Hands over the last lines. To be called when the loop has ended. */
    @Override
    public void close() {
        writer.offerLast(batch);
    }
}
