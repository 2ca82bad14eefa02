package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;
import dev.sluice.failure.Failures;
import dev.sluice.failure.ShutdownWait;
import java.util.ArrayList;
import java.util.List;
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

    private final Leaderships leaderships;
    private final Followers followers;
    private final Set<PoolThread> members = ConcurrentHashMap.newKeySet();
    /**
     * Events whose detecting threads must not dispatch them, for threads that may, in order. A list, because a deque
     * loses its elements if there is no memory for another one.
     */
    private final List<PendingEvent> deferred = new ArrayList<>();
    private volatile boolean closed;
    /** The thread that closes the sources once all threads have left, or has closed them. */
    private @Nullable Thread closer;
    /** The system has refused a wake-up after the close: a leader may never come back. */
    private boolean wakeUpFailed;
    private boolean ended;

    Roles(List<Leadership> leaderships, PromotionOrder order) {
        this.leaderships = new Leaderships(leaderships);
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
                    if (adoptDeferred(self) || self.leads != null || takeVacant(self)) {
                        leaderships.beginWait(self);
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
            for (Leadership leadership : leaderships.all()) {
                if (leadership.isVacant()) {
                    passOn(leadership);
                }
            }
        }
    }

    private boolean adoptDeferred(PoolThread self) {
        if (deferred.isEmpty() || self.boundOnly) {
            return false;
        }
        self.processing = deferred.remove(0);
        stopFollowing(self);
        offerDeferred();
        return true;
    }

    private void offerDeferred() {
        if (deferred.isEmpty()) {
            return;
        }
        for (PoolThread member : members) {
            if (member.role == ThreadRole.FOLLOWER && !member.boundOnly) {
                member.wake();
                return;
            }
        }
        // Without followers, all leaders: those of other sources may wait without a limit, and one may be in a hook.
        for (PoolThread member : members) {
            if (member.role == ThreadRole.LEADER && !member.boundOnly) {
                wakeOrLog(member);
            }
        }
    }

    private void wakeOrLog(PoolThread leader) {
        try {
            recheck(leader);
        } catch (RuntimeException | Error e) {
            LOG.warn("cannot wake {}; a deferred event waits until it returns from its wait", leader.thread, e);
        }
    }

    /** Defers an event to the next thread that may dispatch it. */
    synchronized void defer(PendingEvent event) {
        deferred.add(event);
        offerDeferred();
    }

    /** {@return a deferred event that no thread has taken; null if there is none} */
    synchronized @Nullable PendingEvent pollDeferred() {
        return deferred.isEmpty() ? null : deferred.remove(0);
    }

    private boolean takeVacant(PoolThread self) {
        Leadership vacant = leaderships.nextVacant();
        if (vacant != null) {
            followers.remove(self);
            leaderships.take(self, vacant);
        }
        return vacant != null;
    }

    /** Moves the caller, if it is a leader, to a source that has no leader, if there is one. */
    void rotateLeader(PoolThread self) {
        if (leaderships.isSingle() || self.leads == null) {
            return;
        }
        synchronized (this) {
            Leadership next = closed ? null : leaderships.nextVacant();
            if (next != null) {
                Leadership left = self.leads;
                left.release();
                leaderships.take(self, next);
                followers.promote(left);
            }
        }
    }

    private void passOn(Leadership vacant) {
        if (!followers.promote(vacant) && !closed) {
            leaderships.requestRotation();
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
        vacant.release();
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
        handedOver.release();
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
            case LEADER -> (thread.leads != null ? thread.leads : leaderships.first()).source.wakeUp();
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
        wakeUpFailed |= closed;
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
        wakeUpFailed |= !failures.isEmpty();
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
            if (member != closing && !(wakeUpFailed && member.role == ThreadRole.LEADER)) {
                return true;
            }
        }
        return false;
    }

    /** Called after the sources have been closed. The waiter of a leader is closed when that leader returns. */
    synchronized void end() {
        leaderships.closeVacant();
        ended = true;
        notifyAll();
    }
}
