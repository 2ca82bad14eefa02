package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;
import dev.sluice.deadline.Timeout;
import dev.sluice.failure.Failures;
import dev.sluice.failure.ShutdownWait;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records which threads lead and which follow: the Monitor Object of the paper's pool. Hands a leadership directly from
 * thread to thread, so that it is vacant only while there are no followers. A thread that has left, or no longer waits
 * on a concurrent source, notifies the threads that wait on this object; followers are parked.
 */
final class Roles {

    private static final Logger LOG = LoggerFactory.getLogger(Roles.class);

    /** Maximum wait on one source while another has no leader, after a check of each source has found no event. */
    private static final long ROTATION_NANOS = 10_000_000;

    private final List<Leadership> leaderships;
    private final Followers followers;
    private final Set<PoolThread> members = ConcurrentHashMap.newKeySet();
    /** Events whose detecting threads must not dispatch them, for threads that may. */
    private final Queue<PendingEvent> deferred = new ArrayDeque<>();
    private volatile boolean closed;
    /** The thread that closes the sources once all threads have left, or has closed them. */
    private @Nullable Thread closer;
    /** The system has refused a wake-up after the close: a leader may never come back. */
    private boolean refused;
    private boolean ended;
    private int lookNext;

    Roles(List<Leadership> leaderships, PromotionOrder order) {
        this.leaderships = leaderships;
        this.followers = new Followers(order, leaderships.size());
    }

    /**
     * {@return the threads that have a role; a consistent snapshot of the leaderships, which are handed over under the
     * lock}
     */
    synchronized List<Thread> threads(ThreadRole role) {
        return members.stream().filter(member -> member.role == role).map(member -> member.thread).toList();
    }

    boolean isClosed() {
        return closed;
    }

    /** {@return whether the caller has joined; false if the pool is closed} */
    synchronized boolean enter(PoolThread self) {
        if (closed) {
            return false;
        }
        if (self.depth++ == 0) {
            self.leaving = false;
            members.add(self);
        }
        return true;
    }

    synchronized void leave(PoolThread self) {
        promote(self);
        stopFollowing(self);
        offerDeferred();
        if (--self.depth == 0) {
            members.remove(self);
        }
        notifyAll();
    }

    /**
     * Waits as a follower until the caller is a leader, which it may be already, or has taken a deferred event.
     *
     * @param done called under the lock; returns whether the caller is done
     * @return false if it is done, its time is over, or the pool is closed; then it must call {@link #leave}
     */
    boolean awaitLeadership(PoolThread self, Deadline deadline, BooleanSupplier done) {
        boolean interrupted = false;
        try {
            while (true) {
                synchronized (this) {
                    if (closed || done.getAsBoolean()) {
                        return false;
                    }
                    if (takeDeferred(self) || self.leads != null || takeVacant(self)) {
                        beginWait(self);
                        return true;
                    }
                    if (deadline.isOver()) {
                        return false;
                    }
                    followers.add(self);
                }
                interrupted |= !self.park(deadline);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void stopFollowing(PoolThread self) {
        if (self.role == ThreadRole.FOLLOWER) {
            followers.remove(self);
            self.role = ThreadRole.PROCESSING;
            // A thread that was notified of a vacancy but leaves instead notifies another one.
            for (Leadership leadership : leaderships) {
                if (leadership.isVacant()) {
                    passOn(leadership);
                }
            }
        }
    }

    private boolean takeDeferred(PoolThread self) {
        if (deferred.isEmpty() || self.boundOnly) {
            return false;
        }
        self.processing = deferred.remove();
        stopFollowing(self);
        offerDeferred();
        return true;
    }

    private void offerDeferred() {
        if (!deferred.isEmpty()) {
            for (PoolThread member : members) {
                if (member.role == ThreadRole.FOLLOWER && !member.boundOnly) {
                    member.wake();
                    return;
                }
            }
        }
    }

    /** Defers an event to the next thread that may dispatch it. */
    synchronized void defer(PendingEvent event) {
        deferred.add(event);
        offerDeferred();
    }

    /** {@return a deferred event that no thread has taken; null if there is none} */
    synchronized PendingEvent pollDeferred() {
        return deferred.poll();
    }

    private boolean takeVacant(PoolThread self) {
        Leadership vacant = nextVacant();
        if (vacant != null) {
            followers.remove(self);
            take(self, vacant);
        }
        return vacant != null;
    }

    private @Nullable Leadership nextVacant() {
        for (int i = 0; i < leaderships.size(); i++) {
            Leadership leadership = leaderships.get((lookNext + i) % leaderships.size());
            if (leadership.isVacant()) {
                return leadership;
            }
        }
        return null;
    }

    private void take(PoolThread self, Leadership vacant) {
        // The next search begins after it, so that with too few threads no source is neglected forever.
        lookNext = leaderships.indexOf(vacant) + 1;
        vacant.giveTo(self);
    }

    // If there are fewer threads than sources, the leaders rotate among the sources. While the sources have events, a
    // leader polls each one without waiting, so events are detected immediately; otherwise they are detected soon.

    private void beginWait(PoolThread self) {
        Leadership led = self.leads;
        if (leaderships.size() == 1 || led == null) {
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
            self.maxWait = vacancy && self.emptyWaits < leaderships.size() ? 0 : ROTATION_NANOS;
        }
    }

    /** Moves the caller, if it is a leader, to a source that has no leader, if there is one. */
    void rotateLeader(PoolThread self) {
        if (leaderships.size() == 1 || self.leads == null) {
            return;
        }
        synchronized (this) {
            Leadership next = closed ? null : nextVacant();
            if (next != null) {
                Leadership left = self.leads;
                left.giveUp();
                take(self, next);
                followers.promote(left);
            }
        }
    }

    private void passOn(Leadership vacant) {
        if (!followers.promote(vacant) && !closed) {
            requestRotation();
        }
    }

    private void requestRotation() {
        for (int i = 0; i < leaderships.size(); i++) {
            Leadership led = leaderships.get(i);
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

    /**
     * Promotes a follower in the caller's place.
     *
     * @return true if the caller was a leader
     */
    synchronized boolean promote(PoolThread self) {
        Leadership vacant = self.leads;
        if (vacant == null) {
            return false;
        }
        vacant.giveUp();
        if (ended) {
            // The pool was closed without the caller, which could not be woken.
            vacant.waiter.close();
        } else {
            passOn(vacant);
        }
        return true;
    }

    /**
     * Promotes one follower and no other.
     *
     * @return true if it has taken the caller's place; false if the caller is not a leader or the other is not a
     *         follower
     */
    synchronized boolean promote(PoolThread self, PoolThread successor) {
        Leadership handedOver = self.leads;
        if (handedOver == null || successor.role != ThreadRole.FOLLOWER) {
            return false;
        }
        handedOver.giveUp();
        followers.remove(successor);
        handedOver.giveTo(successor);
        successor.wake();
        return true;
    }

    /** Makes a thread check whether it is done, after the caller has changed something that affects that. */
    synchronized void recheck(PoolThread thread) {
        if (thread.thread == Thread.currentThread()) {
            return;
        }
        switch (thread.role) {
            case LEADER -> (thread.leads != null ? thread.leads : leaderships.get(0)).source.wakeUp();
            case FOLLOWER -> thread.wake();
            default -> { }
        }
    }

    /**
     * Requests that a thread leaves.
     *
     * @return whether the thread is a member
     */
    boolean askToLeave(Thread thread) {
        for (PoolThread member : members) {
            if (member.thread == thread) {
                member.leaving = true;
                recheck(member);
                return true;
            }
        }
        return false;
    }

    /**
     * Forwards a wake-up, which the caller received on a concurrent source, to the thread that it was meant for. The
     * kernel chooses the thread to wake; while the wrong one is chosen, it forwards the wake-up and does not wait on
     * the source itself.
     */
    synchronized void forwardWakeUp(PoolThread self, EventSource source) {
        while (!closed && !self.leaving && needsWakeUp()) {
            source.wakeUp();
            awaitDeparture();
        }
    }

    /** Called by a thread that leaves a concurrent source: wake-ups for several threads may have counted as one. */
    void propagateWakeUp(EventSource source) {
        if (needsWakeUp()) {
            try {
                source.wakeUp();
            } catch (RuntimeException e) {
                abandonLeaders();
                throw e;
            }
        }
    }

    private synchronized void abandonLeaders() {
        refused |= closed;
        notifyAll();
    }

    private boolean needsWakeUp() {
        for (PoolThread member : members) {
            if ((closed || member.leaving) && member.role == ThreadRole.LEADER) {
                return true;
            }
        }
        return false;
    }

    /** Releases the threads that wait in {@link #forwardWakeUp}. */
    synchronized void releaseForwarders() {
        notifyAll();
    }

    /**
     * Closes the pool to all threads, and waits until all threads but the caller have left. It does not wait for
     * leaders if the system refuses to wake one of them.
     *
     * @param pool     for messages
     * @param failures takes the failure in that case
     * @return true if the caller is the closer, which must close the sources: the first to call this, unless that one
     *         has failed
     * @throws IllegalStateException as {@link ShutdownWait#requireReturn}
     */
    synchronized boolean close(Object pool, PoolThread self, Failures failures) {
        boolean inside = self != null && self.depth > 0;
        long began = System.nanoTime();
        closed = true;
        for (PoolThread member : members) {
            wakeOrNote(member, failures);
        }
        refused |= !failures.isEmpty();
        notifyAll();
        // A thread that the closer waits for must not wait for the closer. Nor must the closer wait for itself: it
        // calls the handlers' handleClose, which may call close again.
        while (closer != null && !inside && closer != Thread.currentThread() && !ended) {
            awaitDeparture();
            ShutdownWait.requireReturn(pool, closer, began);
        }
        if (closer != null || ended) {
            return false;
        }
        closer = Thread.currentThread();
        awaitOthers(pool, self, began);
        return true;
    }

    private void wakeOrNote(PoolThread member, Failures failures) {
        try {
            recheck(member);
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private void awaitOthers(Object pool, PoolThread self, long began) {
        boolean over = false;
        try {
            while (hasWaiters(self)) {
                awaitDeparture();
                for (PoolThread member : members) {
                    ShutdownWait.requireReturn(pool, member.thread, began);
                }
            }
            over = true;
        } finally {
            if (!over) {
                closeHasFailed();
            }
        }
    }

    /** Waits until a thread has left, or until it is time to check the remaining ones. */
    private void awaitDeparture() {
        boolean interrupted = Thread.interrupted();
        try {
            wait(ShutdownWait.STEP_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called when the closer has failed, for example for lack of memory: another call of close continues. */
    synchronized void closeHasFailed() {
        closer = null;
        notifyAll();
    }

    private boolean hasWaiters(PoolThread closing) {
        for (PoolThread member : members) {
            if (member != closing && !(refused && member.role == ThreadRole.LEADER)) {
                return true;
            }
        }
        return false;
    }

    /** Called after the sources have been closed. The waiter of a leader is closed when that leader returns. */
    synchronized void end() {
        for (Leadership leadership : leaderships) {
            if (leadership.isVacant()) {
                leadership.waiter.close();
            }
        }
        ended = true;
        notifyAll();
    }
}
