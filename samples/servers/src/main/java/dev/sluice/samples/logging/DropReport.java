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
 * Reports how many datagrams the system has dropped. It queries the system when something has been received, and once
 * more a second later, but not in between, because that takes a call: so a drop is reported within a second. For the
 * loop thread.
 */
final class DropReport implements TimeoutHandler {

    private static final Logger LOG = LoggerFactory.getLogger(DropReport.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Reactor reactor;
    private final Object socket;
    private final DatagramBatch batch;
    private final LoggingCounts counts;
    private long reported;
    /** While it is pending the system is not queried; null before the first. */
    private Timer pause;

    DropReport(Reactor reactor, Object socket, DatagramBatch batch, LoggingCounts counts) {
        this.reactor = reactor;
        this.socket = socket;
        this.batch = batch;
        this.counts = counts;
    }

    /** Called when something has been received. */
    void received() {
        if (pause == null || !pause.isPending()) {
            report();
            pause = reactor.schedule(this, null, PAUSE);
        }
    }

    @Override
    public void handleTimeout(Object token) {
        if (report()) {
            pause = reactor.schedule(this, null, PAUSE);
        }
    }

    /** Reports the drops that have not been reported yet, and the datagrams that came too late to be stored. */
    void finish(long tooLate) {
        if (pause != null) {
            pause.cancel();
        }
        report();
        if (tooLate > 0) {
            counts.dropped += tooLate;
            LOG.warn("{}: {} datagrams arrived too late to be stored", socket, tooLate);
        }
    }

    /** {@return whether there was something to report} */
    private boolean report() {
        try {
            counts.dropped = batch.dropped();
        } catch (IOException e) {
            // The socket has been closed: what was dropped since the last report is unknown.
            LOG.debug("{}", socket, e);
        }
        if (counts.dropped == reported) {
            return false;
        }
        LOG.warn("{}: {} datagrams dropped by the system, whose receive buffer was full ({} so far)", socket,
                counts.dropped - reported, counts.dropped);
        reported = counts.dropped;
        return true;
    }
}
