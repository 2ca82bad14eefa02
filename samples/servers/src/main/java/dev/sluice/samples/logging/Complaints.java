package dev.sluice.samples.logging;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports what is wrong with records, a line a second at most: a broken client must not fill the disk either. */
final class Complaints {

    private static final Logger LOG = LoggerFactory.getLogger(Complaints.class);
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private long last = System.nanoTime() - PAUSE_NANOS;
    private long suppressed;

    void about(Object source, String what) {
        long now = System.nanoTime();
        if (now - last < PAUSE_NANOS) {
            suppressed++;
            return;
        }
        last = now;
        LOG.warn("{}: {}{}", source, what, suppressed == 0 ? "" : " (and " + suppressed + " other complaints before)");
        suppressed = 0;
    }
}
