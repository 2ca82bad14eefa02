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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which threads lead and which follow: the Monitor Object of the paper's pool. Hands a leadership directly from thread
 * to thread, so that it is vacant only while there are no followers.
 */
final class Roles {

    private static final Logger LOG = LoggerFactory.getLogger(Roles.class);

    /** How long a leader waits on one source while another has no leader, once it has looked at all in vain. */
    private static final long TURN_NANOS = 10_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    /** A thread has left, or no longer waits on a concurrent source. */
    private final Condition departed = lock.newCondition();
    private final List<Leadership> leaderships;
    private final Followers followers;
    private final Set<PoolThread> members = ConcurrentHashMap.newKeySet();
    /** Events detected by threads that must not dispatch them, for threads that may. */
    private final Queue<PendingEvent> putOff = new ArrayDeque<>();
    private volatile boolean closed;
    /** Who ends what is left once all threads have left it, or has ended it. */
    private Thread closer;
    /** The system has refused a wake-up after the close: a leader may never come back. */
    private boolean refused;
    private boolean ended;
    private long arrivals;
    private int lookNext;

    Roles(List<Leadership> leaderships, PromotionOrder order) {
        this.leaderships = leaderships;
        this.followers = order.newFollowers(lock);
    }

    /**
     * {@return the threads that play a role; a consistent view, as far as leaderships are handed over under the lock}
     */
    List<Thread> threads(ThreadRole role) {
        lock.lock();
        try {
            return members.stream().filter(member -> member.role == role).map(member -> member.thread).toList();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** {@return whether the caller has joined; false if the pool is closed} */
    boolean enter(PoolThread self) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (self.depth++ == 0) {
                self.leaving = false;
                members.add(self);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    void leave(PoolThread self) {
        lock.lock();
        try {
            vacate(self);
            self.role = ThreadRole.PROCESSING;
            if (--self.depth == 0) {
                members.remove(self);
            }
            departed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits as a follower until the caller is a leader, which it may be already, or is given an event that was put off.
     *
     * @param done asked under the lock whether the caller is done here
     * @return false if it is done, its time is over, or the pool is closed
     */
    boolean awaitTurn(PoolThread self, Deadline deadline, BooleanSupplier done) {
        boolean following = false;
        boolean interrupted = false;
        lock.lock();
        try {
            while (!closed && !done.getAsBoolean()) {
                if (takePutOff(self) || self.leads != null || takeVacant(self)) {
                    beginTurn(self);
                    return true;
                }
                if (deadline.isOver()) {
                    return false;
                }
                if (!following) {
                    following = true;
                    follow(self);
                }
                interrupted |= !followers.await(self, deadline);
            }
            return false;
        } finally {
            if (following && self.leads == null) {
                followers.remove(self);
                self.role = ThreadRole.PROCESSING;
                promoteVacant();
                offerPutOff();
            }
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean takePutOff(PoolThread self) {
        if (putOff.isEmpty() || self.boundOnly) {
            return false;
        }
        self.processing = putOff.remove();
        if (self.leads == null) {
            self.role = ThreadRole.PROCESSING;
        }
        offerPutOff();
        return true;
    }

    private void offerPutOff() {
        if (!putOff.isEmpty()) {
            for (PoolThread member : members) {
                if (member.role == ThreadRole.FOLLOWER && !member.boundOnly) {
                    followers.wake(member);
                    return;
                }
            }
        }
    }

    /** Leaves an event to the next thread that may dispatch it. */
    void putOff(PendingEvent event) {
        lock.lock();
        try {
            putOff.add(event);
            offerPutOff();
        } finally {
            lock.unlock();
        }
    }

    /** {@return the events that no thread has taken in the end} */
    PendingEvent nextPutOff() {
        lock.lock();
        try {
            return putOff.poll();
        } finally {
            lock.unlock();
        }
    }

    private boolean takeVacant(PoolThread self) {
        Leadership vacant = nextVacant();
        if (vacant != null) {
            vacant.giveTo(self);
        }
        return vacant != null;
    }

    private Leadership nextVacant() {
        // Begins after the one taken last, so that with too few threads no source is neglected forever.
        for (int i = 0; i < leaderships.size(); i++) {
            int index = (lookNext + i) % leaderships.size();
            if (leaderships.get(index).isVacant()) {
                lookNext = index + 1;
                return leaderships.get(index);
            }
        }
        return null;
    }

    // Where there are fewer threads than sources, those that lead take turns on the sources. What happens on any source
    // is found at once while there is something to do, since each turn is then only a look, and otherwise soon.

    private void beginTurn(PoolThread self) {
        Leadership led = self.leads;
        if (leaderships.size() == 1 || led == null) {
            return;
        }
        boolean vacancy = hasVacancy();
        led.forGood = !vacancy && !led.shared;
        // For one turn even if there is a leader everywhere again: or else, with as many threads as sources, every
        // event would wake a leader that has nothing to do.
        led.shared = false;
        if (led.forGood) {
            self.turn = Timeout.FOREVER;
            self.emptyTurns = 0;
        } else {
            self.turn = vacancy && self.emptyTurns < leaderships.size() ? 0 : TURN_NANOS;
        }
    }

    private boolean hasVacancy() {
        for (int i = 0; i < leaderships.size(); i++) {
            if (leaderships.get(i).isVacant()) {
                return true;
            }
        }
        return false;
    }

    /** Lets the caller go on to a source that has no leader, if it leads and there is one. */
    void endTurn(PoolThread self) {
        if (leaderships.size() == 1 || self.leads == null) {
            return;
        }
        lock.lock();
        try {
            Leadership next = closed ? null : nextVacant();
            if (next != null) {
                Leadership left = self.leads;
                left.giveUp();
                next.giveTo(self);
                followers.promote(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void passOn(Leadership vacant) {
        if (!followers.promote(vacant) && !closed) {
            askLeadersToShare();
        }
    }

    private void askLeadersToShare() {
        for (int i = 0; i < leaderships.size(); i++) {
            Leadership led = leaderships.get(i);
            if (!led.isVacant() && led.forGood) {
                led.forGood = false;
                led.shared = true;
                try {
                    led.source.wakeUp();
                } catch (RuntimeException e) {
                    led.forGood = true;
                    LOG.warn("{} cannot be woken, so its leader waits on while another source has none", led.source, e);
                }
            }
        }
    }

    private void follow(PoolThread self) {
        self.role = ThreadRole.FOLLOWER;
        self.priority = self.thread.getPriority();
        self.arrival = arrivals++;
        followers.add(self);
    }

    // A thread that was notified of a vacancy but leaves instead notifies another one.
    private void promoteVacant() {
        for (Leadership leadership : leaderships) {
            if (leadership.isVacant()) {
                passOn(leadership);
            }
        }
    }

    /**
     * Promotes a follower in the caller's place.
     *
     * @return whether the caller was a leader
     */
    boolean promote(PoolThread self) {
        lock.lock();
        try {
            return vacate(self);
        } finally {
            lock.unlock();
        }
    }

    private boolean vacate(PoolThread self) {
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
     * @return whether it has taken the caller's place; false if the caller is not a leader or the other is not a
     *         follower
     */
    boolean promote(PoolThread self, PoolThread successor) {
        lock.lock();
        try {
            Leadership handedOver = self.leads;
            if (handedOver == null || successor.role != ThreadRole.FOLLOWER) {
                return false;
            }
            handedOver.giveUp();
            followers.remove(successor);
            handedOver.giveTo(successor);
            followers.wake(successor);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Makes a thread check whether it is done, after the caller has changed something that affects that. */
    void letLook(PoolThread thread) {
        lock.lock();
        try {
            wake(thread);
        } finally {
            lock.unlock();
        }
    }

    private void wake(PoolThread thread) {
        if (thread.thread == Thread.currentThread()) {
            return;
        }
        switch (thread.role) {
            case LEADER -> (thread.leads != null ? thread.leads : leaderships.get(0)).source.wakeUp();
            case FOLLOWER -> followers.wake(thread);
            default -> { }
        }
    }

    /** {@return whether the thread was there to be asked} */
    boolean askToLeave(Thread thread) {
        for (PoolThread member : members) {
            if (member.thread == thread) {
                member.leaving = true;
                letLook(member);
                return true;
            }
        }
        return false;
    }

    /**
     * Passes a wake-up that the caller got on a concurrent source on to the thread that it is for: the kernel chooses
     * which thread it wakes, so any other thread passes the wake-up on and keeps out of the way.
     */
    void stepAside(PoolThread self, EventSource source) {
        lock.lock();
        try {
            while (!closed && !self.leaving && somebodyShouldWakeUp()) {
                source.wakeUp();
                departed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** For a thread that leaves a concurrent source: wake-ups for several threads may have counted as one. */
    void passWakeUpOn(EventSource source) {
        if (somebodyShouldWakeUp()) {
            try {
                source.wakeUp();
            } catch (RuntimeException e) {
                giveUpOnLeaders();
                throw e;
            }
        }
    }

    private void giveUpOnLeaders() {
        lock.lock();
        try {
            refused |= closed;
            departed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean somebodyShouldWakeUp() {
        for (PoolThread member : members) {
            if ((closed || member.leaving) && member.role == ThreadRole.LEADER) {
                return true;
            }
        }
        return false;
    }

    /** Lets the threads go on that have stepped aside. */
    void noLongerWaiting() {
        lock.lock();
        try {
            departed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets no thread lead any more, and waits until all threads but the caller have left. It does not wait for leaders
     * if the system refuses to wake one of them.
     *
     * @param pool     for messages
     * @param failures takes the failure in that case
     * @return whether the caller is the closer, who must end what is left: the first to close, unless the first one has
     *         failed
     * @throws IllegalStateException as {@link ShutdownWait#requireReturn}
     */
    boolean close(Object pool, PoolThread self, Failures failures) {
        boolean inside = self != null && self.depth > 0;
        long began = System.nanoTime();
        lock.lock();
        try {
            closed = true;
            for (PoolThread member : members) {
                wakeOrNote(member, failures);
            }
            refused |= !failures.isEmpty();
            departed.signalAll();
            // A thread that the closer waits for must not wait for the closer, nor that one for itself: the hooks that
            // tell of the end run in it.
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
        } finally {
            lock.unlock();
        }
    }

    private void wakeOrNote(PoolThread member, Failures failures) {
        try {
            wake(member);
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private void awaitOthers(Object pool, PoolThread self, long began) {
        boolean over = false;
        try {
            while (isAwaited(self)) {
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

    /** Waits until a thread has left, or it is time to look at those that have not. */
    private void awaitDeparture() {
        boolean interrupted = Thread.interrupted();
        try {
            departed.await(ShutdownWait.STEP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** There was no memory for what the closer had to end: another close goes on. */
    void closeHasFailed() {
        lock.lock();
        try {
            closer = null;
            departed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isAwaited(PoolThread closing) {
        for (PoolThread member : members) {
            if (member != closing && !(refused && member.role == ThreadRole.LEADER)) {
                return true;
            }
        }
        return false;
    }

    /** Called after the sources have been closed. What a leader waits with is closed when that leader is back. */
    void end() {
        lock.lock();
        try {
            for (Leadership leadership : leaderships) {
                if (leadership.isVacant()) {
                    leadership.waiter.close();
                }
            }
            ended = true;
            departed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
