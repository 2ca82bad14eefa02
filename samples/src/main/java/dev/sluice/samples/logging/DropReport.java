package dev.sluice.samples.logging;

import dev.sluice.reactor.Reactor;
import dev.sluice.timer.TimeoutHandler;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how many datagrams the system has dropped: at once, then once a second while there are more, so that none is
 * left untold for longer. For the loop thread.
 */
final class DropReport implements TimeoutHandler {

    private static final Logger LOG = LoggerFactory.getLogger(DropReport.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Reactor reactor;
    private final Object socket;
    private final LoggingCounts counts;
    private long told;
    private boolean pausing;

    DropReport(Reactor reactor, Object socket, LoggingCounts counts) {
        this.reactor = reactor;
        this.socket = socket;
        this.counts = counts;
    }

    /** There are so many so far. */
    void dropped(long soFar) {
        counts.dropped = soFar;
        if (soFar > told && !pausing) {
            tell();
            pausing = true;
            reactor.schedule(this, null, PAUSE);
        }
    }

    @Override
    public void handleTimeout(Object token) {
        pausing = false;
        dropped(counts.dropped);
    }

    /** Tells of those that have not been told of yet, and of those that came too late to be stored. */
    void finish(long tooLate) {
        if (counts.dropped > told) {
            tell();
        }
        if (tooLate > 0) {
            counts.dropped += tooLate;
            LOG.warn("{}: {} datagrams came too late to be stored", socket, tooLate);
        }
    }

    private void tell() {
        LOG.warn("{}: {} datagrams dropped by the system, whose receive buffer was full ({} so far)", socket,
                counts.dropped - told, counts.dropped);
        told = counts.dropped;
    }
}
