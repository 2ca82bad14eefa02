package dev.sluice.demultiplexers.epoll;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.calls.layout.EpollEvent;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.Registration;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.demultiplexers.handleset.HandleSet;
import dev.sluice.demultiplexers.handleset.PollTimeout;
import dev.sluice.demultiplexers.handleset.UseCount;
import dev.sluice.demultiplexers.handleset.WakeUp;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** An epoll instance. Everything that changes the set is a system call, so any thread may do it at any time. */
public final class EpollDemultiplexer implements SynchronousEventDemultiplexer {

    // No member has this: its slot would be the last of the largest table there can be.
    private static final long WAKE_UP = -1;

    private final String name;
    private final Trigger trigger;
    private final Posix posix = Bindings.current().posix();
    private final Linux linux = Bindings.current().linux();
    private final Memory memory = Bindings.current().memory();
    private final HandleSet set;
    private final int epfd;
    private final WakeUp wakeUp;
    private final EpollTable table = new EpollTable(memory);
    private final MemoryBlock wakeUpEvent;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final UseCount users = new UseCount(this::dispose);

    /**
     * Opens an instance with an empty set.
     *
     * @param name    by which it was chosen
     * @param trigger when a ready handle is reported
     * @throws IOException if the system refuses
     */
    public EpollDemultiplexer(String name, Trigger trigger) throws IOException {
        this.name = name;
        this.trigger = trigger;
        this.set = new HandleSet(name);
        this.wakeUp = new WakeUp(name);
        this.wakeUpEvent = memory.allocate(EpollEvent.SIZE);
        this.epfd = linux.epoll_create1(EpollConstants.EPOLL_CLOEXEC);
        try {
            if (epfd < 0) {
                throw new SystemCallException("epoll_create1", name, epfd);
            }
            watchWakeUp(EpollConstants.EPOLL_CTL_ADD);
        } catch (Throwable e) {
            users.close();
            throw e;
        }
    }

    // On a concurrent set a wake-up is for one waiter, so it is armed once, like everything else there. The close is
    // for all of them.
    private int wakeUpEvents() {
        boolean once = trigger == Trigger.ONE_SHOT && !set.isClosed();
        return EpollConstants.EPOLLIN | (once ? EpollConstants.EPOLLONESHOT : 0);
    }

    private void watchWakeUp(int operation) throws IOException {
        synchronized (wakeUpEvent) {
            EpollEvent.set(wakeUpEvent.buffer(), 0, wakeUpEvents(), WAKE_UP);
            int result = linux.epoll_ctl(epfd, operation, (int) wakeUp.descriptor(), wakeUpEvent.address());
            if (result < 0) {
                throw new SystemCallException("epoll_ctl", "wake-up of " + name, result);
            }
        }
    }

    int control(int operation, int fd, long event) {
        return linux.epoll_ctl(epfd, operation, fd, event);
    }

    /** {@return whether the instance stays open until {@link #leave}; false if it is gone} */
    boolean enter() {
        return users.enter();
    }

    void leave() {
        users.leave();
    }

    void forget(EpollMember member) {
        table.remove(member);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public HandleSetKind handleSetKind() {
        return trigger == Trigger.ONE_SHOT ? HandleSetKind.CONCURRENT : HandleSetKind.ITERATIVE;
    }

    @Override
    public Trigger trigger() {
        return trigger;
    }

    @Override
    public ReadyHandles newReadyHandles(int capacity) {
        return new EpollReadyHandles(memory, capacity);
    }

    @Override
    public Registration register(Handle handle, int events, Object attachment) throws IOException {
        if (!users.enter()) {
            throw set.closedException();
        }
        try {
            EpollMember member = new EpollMember(this, set, handle, events, attachment);
            table.add(member);
            member.enter();
            return member;
        } finally {
            users.leave();
        }
    }

    @Override
    public int awaitReady(ReadyHandles ready, long timeoutNanos) throws IOException {
        Objects.requireNonNull(ready, "ready");
        if (!(ready instanceof EpollReadyHandles batch)) {
            throw new IllegalArgumentException("the batch is not from newReadyHandles of an epoll demultiplexer");
        }
        batch.clear();
        boolean alone = handleSetKind() == HandleSetKind.ITERATIVE;
        if (alone && !waiting.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "another thread waits on this " + name + " demultiplexer, an iterative handle set");
        }
        try {
            if (!users.enter()) {
                throw set.closedException();
            }
            try {
                return awaitReady(batch, timeoutNanos);
            } finally {
                users.leave();
            }
        } finally {
            if (alone) {
                waiting.set(false);
            }
        }
    }

    private int awaitReady(EpollReadyHandles batch, long timeoutNanos) throws IOException {
        // Beyond half the range a deadline could not be compared any more; it is centuries away.
        boolean forever = timeoutNanos < 0 || timeoutNanos > Long.MAX_VALUE / 2;
        long deadline = forever || timeoutNanos == 0 ? 0 : System.nanoTime() + timeoutNanos;
        long remaining = forever ? FOREVER : timeoutNanos;
        while (true) {
            int found = linux.epoll_wait(epfd, batch.events().address(), batch.capacity(),
                    PollTimeout.millis(remaining));
            if (found < 0 && !Errno.EINTR.is(found)) {
                throw new SystemCallException("epoll_wait", name, found);
            }
            if (found > 0 && collect(batch, found)) {
                return batch.size();
            }
            if (!forever) {
                remaining = timeoutNanos == 0 ? 0 : deadline - System.nanoTime();
                if (remaining <= 0) {
                    return 0;
                }
            }
        }
    }

    /** {@return whether there is something to return for: a ready handle, or a wake-up} */
    private boolean collect(EpollReadyHandles batch, int found) throws IOException {
        ByteBuffer events = batch.events().buffer();
        boolean wokenUp = false;
        for (int i = 0, at = 0; i < found; i++, at += EpollEvent.SIZE) {
            long data = EpollEvent.data(events, at);
            if (data == WAKE_UP) {
                wokenUp = true;
            } else {
                report(batch, table.find(data), EpollMember.fromEpoll(EpollEvent.events(events, at)));
            }
        }
        if (wokenUp) {
            takeWakeUp();
        }
        return wokenUp || batch.size() > 0;
    }

    // An event that is not wanted any more is dropped; whoever changed the registration tells the kernel anew.
    private void report(EpollReadyHandles batch, EpollMember member, int events) {
        boolean wanted = member != null && (events & member.activeEvents()) != 0;
        if (wanted && (trigger != Trigger.ONE_SHOT || member.quieten())) {
            batch.add(member, events);
        }
    }

    private void takeWakeUp() throws IOException {
        if (set.isClosed()) {
            // Left readable, so that every other waiter comes by here too.
            throw set.closedException();
        }
        wakeUp.drain();
        if (trigger == Trigger.ONE_SHOT) {
            watchWakeUp(EpollConstants.EPOLL_CTL_MOD);
        }
        if (set.isClosed()) {
            // The close came in between and this drained its signal.
            wakeUp.signal();
            throw set.closedException();
        }
    }

    @Override
    public void wakeUp() {
        wakeUp.signal();
    }

    @Override
    public void close() {
        if (!set.close()) {
            return;
        }
        try {
            watchWakeUp(EpollConstants.EPOLL_CTL_MOD);
        } catch (IOException e) {
            throw new IllegalStateException("waiters of " + name + " cannot be woken", e);
        } finally {
            wakeUp.signal();
            users.close();
        }
    }

    private void dispose() {
        if (epfd >= 0) {
            posix.close(epfd);
        }
        wakeUp.close();
        wakeUpEvent.close();
        table.close();
    }
}
