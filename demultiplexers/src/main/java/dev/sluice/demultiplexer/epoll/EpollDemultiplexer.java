package dev.sluice.demultiplexer.epoll;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.calls.layout.EpollEvent;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.handleset.KernelSetDemultiplexer;
import dev.sluice.demultiplexer.handleset.Member;
import dev.sluice.demultiplexer.handleset.RepeatedCall;
import dev.sluice.demultiplexer.handleset.WakeUp;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A handle set that is an epoll instance. */
public final class EpollDemultiplexer extends KernelSetDemultiplexer {

    private static final Logger LOG = LoggerFactory.getLogger(EpollDemultiplexer.class);

    /** The maximum duration of a system call while the wake-up is not armed. */
    private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** A timeout of {@code epoll_wait} that never ends. */
    private static final int FOREVER_MILLIS = -1;
    private static final int FAILED = EpollConstants.EPOLLERR | EpollConstants.EPOLLHUP;

    private final OperatingSystem system = OperatingSystem.current();
    private final Linux linux = Bindings.current().linux();
    private final int epfd;
    private final boolean oneShot;
    private final WakeUp wakeUp;
    private final MemoryBlock wakeUpEvent;
    /** Whether the wake-up should be armed but is not, because the system has refused. */
    private volatile boolean wakeUpUnarmed;
    private final CloseSteps disposal =
            new CloseSteps(this::closeInstance, this::closeWakeUp, this::freeWakeUpEvent, table::close);

    /**
     * Opens an instance with an empty set.
     *
     * @param name    the name by which the demultiplexer was chosen
     * @param trigger when a ready handle is reported
     * @throws IOException if the system refuses
     */
    public EpollDemultiplexer(String name, Trigger trigger) throws IOException {
        super(name, trigger, "epoll_wait", EpollMember.STRUCTURE_SIZE);
        this.oneShot = trigger == Trigger.ONE_SHOT;
        this.epfd = linux.epoll_create1(EpollConstants.EPOLL_CLOEXEC);
        try {
            if (epfd < 0) {
                throw new SystemCallException("epoll_create1", name, epfd);
            }
            wakeUp = new WakeUp(name);
            wakeUpEvent = Bindings.current().memory().allocate(EpollEvent.SIZE);
            watchWakeUp(EpollConstants.EPOLL_CTL_ADD);
        } catch (Throwable e) {
            discard();
            throw e;
        }
    }

    // On a concurrent set a wake-up is for one waiter, so it is one-shot, as all events are. The close is for all
    // waiters.
    private int wakeUpEvents() {
        boolean once = oneShot && !isClosed();
        return EpollConstants.EPOLLIN | (once ? EpollConstants.EPOLLONESHOT : 0);
    }

    private void watchWakeUp(int operation) throws IOException {
        synchronized (wakeUpEvent) {
            EpollEvent.set(wakeUpEvent.buffer(), 0, wakeUpEvents(), WAKE_UP);
            int result = linux.epoll_ctl(epfd, operation, (int) wakeUp.descriptor(), wakeUpEvent.address());
            if (result < 0) {
                throw new SystemCallException("epoll_ctl", "wake-up of " + name(), result);
            }
        }
    }

    private void watchWakeUpAgain() {
        try {
            watchWakeUp(EpollConstants.EPOLL_CTL_MOD);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Arms the wake-up of a concurrent set, so that the next signal ends a wait. */
    private void armWakeUp() {
        synchronized (wakeUpEvent) {
            try {
                watchWakeUp(EpollConstants.EPOLL_CTL_MOD);
                wakeUpUnarmed = false;
            } catch (IOException e) {
                if (!wakeUpUnarmed) {
                    wakeUpUnarmed = true;
                    LOG.warn("{}: polling for wake-ups until the descriptor can be armed", e.getMessage());
                }
            }
        }
    }

    int control(int operation, int fd, long event) {
        return linux.epoll_ctl(epfd, operation, fd, event);
    }

    @Override
    protected KernelMember newMember(Handle handle, int events, @Nullable Object attachment)
            throws HandleClosedException {
        return new EpollMember(this, handle, events, attachment);
    }

    @Override
    protected int eventBytes(int capacity) {
        return Math.multiplyExact(capacity, EpollEvent.SIZE);
    }

    /**
     * Waits without synchronization between waiting threads, as the caller owns this demultiplexer. Usually makes a
     * single call of {@code epoll_wait}, if there is no timeout to measure.
     */
    @Override
    public int awaitAsOwner(ReadyBatch ready, long timeoutNanos) throws IOException {
        ReadyBatch batch = ready.requireFrom(EpollDemultiplexer.class);
        batch.clear();
        if (timeoutNanos > 0 || hasAlwaysReady || wakeUpUnarmed) {
            return await(batch, timeoutNanos);
        }
        boolean polling = timeoutNanos == 0;
        int found = linux.epoll_wait(epfd, batch.address(), batch.capacity(), polling ? 0 : FOREVER_MILLIS);
        if (found > 0 ? collect(batch, found) : found == 0 && polling) {
            return batch.size();
        }
        if (found < 0) {
            requireInterrupted(found);
        }
        // The call was interrupted, or the events that it has found are no longer wanted.
        return await(batch, timeoutNanos);
    }

    @Override
    protected int call(ReadyBatch batch, long timeoutNanos) {
        if (wakeUpUnarmed) {
            armWakeUp();
        }
        boolean polling = wakeUpUnarmed;
        long nanos = polling && (timeoutNanos < 0 || timeoutNanos > POLL_INTERVAL_NANOS)
                ? POLL_INTERVAL_NANOS : timeoutNanos;
        int found = linux.epoll_wait(epfd, batch.address(), batch.limit(), Timeout.millis(nanos));
        if (polling && found == 0) {
            // A wake-up may have been signalled. A thread that is woken up without reason waits again.
            EpollEvent.set(batch.buffer(), 0, EpollConstants.EPOLLIN, WAKE_UP);
            return 1;
        }
        return found;
    }

    @Override
    protected boolean collect(ReadyBatch batch, int found) throws IOException {
        ByteBuffer events = batch.buffer();
        Member[] members = table.members;
        boolean wokenUp = false;
        for (int i = 0, at = 0; i < found; i++, at += EpollEvent.SIZE) {
            long data = events.getLong(at + EpollEvent.DATA);
            if (data == WAKE_UP) {
                wokenUp = true;
                continue;
            }
            Member member = members[(int) data];
            int ready = fromEpoll(events.getInt(at + EpollEvent.EVENTS));
            // The event of a member that has left may find the next member in its slot.
            if (member != null && member.eventData() == data && member.mayReport(ready, oneShot)) {
                batch.add(member, ready);
            }
        }
        if (wokenUp) {
            takeWakeUp();
        }
        return wokenUp || batch.size() > 0;
    }

    private static int fromEpoll(int events) {
        if ((events & FAILED) != 0) {
            return EventType.IO;
        }
        return ((events & EpollConstants.EPOLLIN) != 0 ? EventType.READ : 0)
                | ((events & EpollConstants.EPOLLOUT) != 0 ? EventType.WRITE : 0)
                | ((events & EpollConstants.EPOLLPRI) != 0 ? EventType.EXCEPTION : 0);
    }

    private void takeWakeUp() throws IOException {
        if (isClosed()) {
            // The descriptor stays readable, so that it ends the waits of all other threads.
            throw closedException();
        }
        if (oneShot) {
            // Set until the wake-up is armed again. If this thread has no memory for the calls below, waits poll for
            // wake-ups.
            wakeUpUnarmed = true;
        }
        wakeUp.drain();
        if (oneShot) {
            armWakeUp();
        }
        if (isClosed()) {
            // The set was closed in the meantime, and this thread has drained the signal of the close.
            RepeatedCall.runUntilAccepted(wakeUp::signal);
            throw closedException();
        }
    }

    @Override
    public void wakeUp() {
        wakeUp.signal();
    }

    @Override
    protected void endWaits() {
        try {
            if (oneShot) {
                watchWakeUpAgain();
            }
        } finally {
            wakeUp.signal();
        }
    }

    @Override
    protected void dispose() {
        disposal.run();
    }

    private void closeInstance() {
        if (epfd >= 0) {
            system.close(epfd, false);
        }
    }

    private void closeWakeUp() {
        if (wakeUp != null) {
            wakeUp.close();
        }
    }

    private void freeWakeUpEvent() {
        if (wakeUpEvent != null) {
            wakeUpEvent.close();
        }
    }
}
