package dev.sluice.demultiplexers.epoll;

import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.calls.layout.EpollEvent;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.demultiplexers.handleset.HandleSet;
import dev.sluice.demultiplexers.handleset.Member;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A handle in the kernel's set. */
final class EpollMember extends Member {

    private static final int FAILED = EpollConstants.EPOLLERR | EpollConstants.EPOLLHUP;

    private final EpollDemultiplexer demultiplexer;
    private int slot;
    private int generation;
    private ByteBuffer structure;
    private int at;
    private long address;

    // What the kernel was told; guarded by this object, which two threads contend for only when both change one member.
    private int armed;
    private boolean left;

    EpollMember(EpollDemultiplexer demultiplexer, HandleSet set, Handle handle, int events, Object attachment)
            throws HandleClosedException {
        super(set, handle, events, attachment);
        this.demultiplexer = demultiplexer;
    }

    void placed(int newSlot, int newGeneration, MemoryBlock block, int offset) {
        slot = newSlot;
        generation = newGeneration;
        structure = block.buffer();
        at = offset;
        address = block.address() + offset;
    }

    int slot() {
        return slot;
    }

    int generation() {
        return generation;
    }

    @Override
    protected synchronized void follow() throws IOException {
        if (left) {
            return;
        }
        if (!demultiplexer.enter()) {
            // Removed before the close, which therefore did not wait for it; the kernel's set is gone.
            left = true;
            letGo();
            return;
        }
        try {
            followInside();
        } finally {
            demultiplexer.leave();
        }
    }

    private void followInside() throws IOException {
        int events = armedEvents();
        boolean valid = isValid();
        // A quiet member of a one-shot set stays in the kernel's set, where it is disarmed: rearming it is one call.
        if (valid && events == 0 && activeEvents() != 0) {
            return;
        }
        if (events != 0 && (events != armed || demultiplexer.trigger() != Trigger.LEVEL)) {
            tell(armed == 0 ? EpollConstants.EPOLL_CTL_ADD : EpollConstants.EPOLL_CTL_MOD, toEpoll(events));
        } else if (events == 0 && armed != 0) {
            // Taken out rather than left in with no events, because the kernel reports hang-ups even then.
            tell(EpollConstants.EPOLL_CTL_DEL, 0);
        }
        armed = events;
        if (!valid) {
            left = true;
            demultiplexer.forget(this);
            letGo();
        }
    }

    private void tell(int operation, int events) throws IOException {
        structure.putInt(at + EpollEvent.EVENTS, events);
        int result = demultiplexer.control(operation, (int) descriptor(), address);
        if (result < 0 && !(operation == EpollConstants.EPOLL_CTL_DEL && isGone(result))) {
            throw new SystemCallException("epoll_ctl", handle().toString(), result);
        }
    }

    // The descriptor, or the whole set, was closed by somebody else: then there is nothing left to take out.
    private static boolean isGone(int result) {
        return Errno.ENOENT.is(result) || Errno.EBADF.is(result);
    }

    private int toEpoll(int events) {
        int trigger = switch (demultiplexer.trigger()) {
            case LEVEL -> 0;
            case EDGE -> EpollConstants.EPOLLET;
            case ONE_SHOT -> EpollConstants.EPOLLONESHOT;
        };
        return trigger
                | ((events & EventType.READ) != 0 ? EpollConstants.EPOLLIN : 0)
                | ((events & EventType.WRITE) != 0 ? EpollConstants.EPOLLOUT : 0)
                | ((events & EventType.EXCEPTION) != 0 ? EpollConstants.EPOLLPRI : 0);
    }

    static int fromEpoll(int events) {
        if ((events & FAILED) != 0) {
            return EventType.IO;
        }
        return ((events & EpollConstants.EPOLLIN) != 0 ? EventType.READ : 0)
                | ((events & EpollConstants.EPOLLOUT) != 0 ? EventType.WRITE : 0)
                | ((events & EpollConstants.EPOLLPRI) != 0 ? EventType.EXCEPTION : 0);
    }
}
