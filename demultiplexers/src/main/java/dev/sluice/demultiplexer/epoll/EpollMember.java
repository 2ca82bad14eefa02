package dev.sluice.demultiplexer.epoll;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.calls.layout.EpollEvent;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A handle in the set of an epoll instance. */
final class EpollMember extends KernelMember {

    /**
     * The size of the larger of the two layouts of {@code epoll_event}, so that each structure is aligned for 64 bits.
     */
    static final int STRUCTURE_SIZE = 16;

    private final EpollDemultiplexer demultiplexer;
    /** The events for which the handle is in the kernel's set; 0 if it is not there. */
    private int armed;
    /** Whether the kernel has refused the handle, as it refuses regular files. */
    private boolean alwaysReady;

    EpollMember(EpollDemultiplexer demultiplexer, Handle handle, int events, @Nullable Object attachment)
            throws HandleClosedException {
        super(demultiplexer, handle, events, attachment);
        this.demultiplexer = demultiplexer;
    }

    @Override
    protected void updateKernel() throws IOException {
        int events = armedEvents();
        // A one-shot member that has been reported stays disarmed in the kernel's set: rearming it takes one call.
        if (events == 0 && activeEvents() != 0) {
            return;
        }
        if (alwaysReady) {
            beAlwaysReady(events);
        } else if (events != 0 && (events != armed || demultiplexer.trigger() != Trigger.LEVEL)) {
            control(armed == 0 ? EpollConstants.EPOLL_CTL_ADD : EpollConstants.EPOLL_CTL_MOD, toEpoll(events));
        } else if (events == 0 && armed != 0) {
            // Removed, instead of set to no events, because the kernel would still report hang-ups.
            control(EpollConstants.EPOLL_CTL_DEL, 0);
        }
        armed = events;
    }

    private void control(int operation, int events) throws IOException {
        EpollEvent.set(structure(), structureAt(), events, eventData());
        int result = demultiplexer.control(operation, (int) descriptor(), structureAddress());
        if (operation == EpollConstants.EPOLL_CTL_ADD && Errno.EPERM.is(result)) {
            // "The target file does not support epoll" (epoll_ctl(2)); poll(2) reports such a file as ready.
            alwaysReady = true;
            beAlwaysReady(armedEvents());
        } else if (result < 0 && !(operation == EpollConstants.EPOLL_CTL_DEL && isGone(result))) {
            throw new SystemCallException("epoll_ctl", handle().toString(), result);
        }
    }

    // Other code has closed the descriptor or the epoll instance: there is nothing left to remove.
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
}
