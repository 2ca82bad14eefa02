package dev.sluice.samples.logging;

import dev.sluice.handle.DatagramBatch;
import dev.sluice.reactor.Reactor;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how many datagrams the system has dropped. It asks the system when something has come in, and a second later
 * once more, but not in between, because that takes a call: so none is left untold for longer. For the loop thread.
 */
final class DropReport implements TimeoutHandler {

    private static final Logger LOG = LoggerFactory.getLogger(DropReport.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Reactor reactor;
    private final Object socket;
    private final DatagramBatch batch;
    private final LoggingCounts counts;
    private long told;
    /** While it is pending nothing is asked; null before the first. */
    private Timer pause;

    DropReport(Reactor reactor, Object socket, DatagramBatch batch, LoggingCounts counts) {
        this.reactor = reactor;
        this.socket = socket;
        this.batch = batch;
        this.counts = counts;
    }

    /** Something has come in. */
    void received() {
        if (pause == null || !pause.isPending()) {
            tell();
            pause = reactor.schedule(this, null, PAUSE);
        }
    }

    @Override
    public void handleTimeout(Object token) {
        if (tell()) {
            pause = reactor.schedule(this, null, PAUSE);
        }
    }

    /** Tells of those that have not been told of yet, and of those that came too late to be stored. */
    void finish(long tooLate) {
        if (pause != null) {
            pause.cancel();
        }
        tell();
        if (tooLate > 0) {
            counts.dropped += tooLate;
            LOG.warn("{}: {} datagrams came too late to be stored", socket, tooLate);
        }
    }

    /** {@return whether there was something to tell} */
    private boolean tell() {
        try {
            counts.dropped = batch.dropped();
        } catch (IOException e) {
            // Closed by somebody else: nobody can tell any more what was dropped since the last time.
            LOG.debug("{}", socket, e);
        }
        if (counts.dropped == told) {
            return false;
        }
        LOG.warn("{}: {} datagrams dropped by the system, whose receive buffer was full ({} so far)", socket,
                counts.dropped - told, counts.dropped);
        told = counts.dropped;
        return true;
    }
}
