package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Timeout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leaderships of all sources of a pool. Guarded by the lock of {@link Roles}.
 *
 * <p>If there are fewer threads than sources, the leaders rotate among the sources. While the sources have events, a
 * leader polls each one without waiting, so events are detected immediately; otherwise they are detected soon.
 */
final class Leaderships {

    private static final Logger LOG = LoggerFactory.getLogger(Leaderships.class);

    /** Maximum wait on one source while another has no leader, after a check of each source has found no event. */
    private static final long ROTATION_NANOS = 10_000_000;

    private final List<Leadership> all;
    /** Where the next search for a vacant one begins. */
    private int nextIndex;

    Leaderships(List<Leadership> all) {
        this.all = all;
    }

    boolean isSingle() {
        return all.size() == 1;
    }

    Leadership first() {
        return all.get(0);
    }

    List<Leadership> all() {
        return all;
    }

    @Nullable Leadership nextVacant() {
        for (int i = 0; i < all.size(); i++) {
            Leadership leadership = all.get((nextIndex + i) % all.size());
            if (leadership.isVacant()) {
                return leadership;
            }
        }
        return null;
    }

    void take(PoolThread self, Leadership vacant) {
        // The next search begins after it, so that with too few threads no source is neglected forever.
        nextIndex = all.indexOf(vacant) + 1;
        vacant.giveTo(self);
    }

    /** Called by a leader that is about to wait: limits the wait if there are too few leaders. */
    void beginWait(PoolThread self) {
        Leadership led = self.leads;
        if (isSingle() || led == null) {
            return;
        }
        boolean vacancy = nextVacant() != null;
        led.unlimited = !vacancy && !led.shared;
        // Reset after one wait even if every source has a leader again: otherwise, with as many threads as sources,
        // every event would wake a leader without need.
        led.shared = false;
        if (led.unlimited) {
            self.maxWait = Timeout.FOREVER;
            self.emptyWaits = 0;
        } else {
            self.maxWait = vacancy && self.emptyWaits < all.size() ? 0 : ROTATION_NANOS;
        }
    }

    /** Wakes the leaders that wait without a limit, so that they rotate. */
    void requestRotation() {
        for (int i = 0; i < all.size(); i++) {
            Leadership led = all.get(i);
            if (!led.isVacant() && led.unlimited) {
                led.unlimited = false;
                led.shared = true;
                try {
                    led.source.wakeUp();
                } catch (RuntimeException e) {
                    led.unlimited = true;
                    LOG.warn("cannot wake the leader of {}; another source has no leader until it returns", led.source,
                            e);
                }
            }
        }
    }

    /** Closes the waiters of those without a leader. */
    void closeVacant() {
        for (Leadership leadership : all) {
            if (leadership.isVacant()) {
                leadership.waiter.close();
            }
        }
    }
}
