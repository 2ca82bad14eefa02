package dev.sluice.demultiplexer.wfmo;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.calls.layout.Wsanetworkevents;
import dev.sluice.calls.layout.Wsapollfd;
import dev.sluice.demultiplexer.handleset.HandleSet;
import dev.sluice.demultiplexer.handleset.Member;
import dev.sluice.demultiplexer.handleset.PollBits;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/** A socket with a place, whose network events set the event object of that place. */
final class WfmoMember extends Member {

    static final int NOWHERE = -1;

    /** The end of the connection or of the attempt to make one, after which a socket is ready for everything. */
    private static final int ENDS = WinsockConstants.FD_CLOSE | WinsockConstants.FD_CONNECT;

    private static final int NETWORK_EVENTS_OFFSET = Wsapollfd.SIZE;
    /** How many bytes of memory each needs. */
    static final int MEMORY_SIZE = NETWORK_EVENTS_OFFSET + Wsanetworkevents.SIZE;
    private static final int CONNECT_ERROR =
            NETWORK_EVENTS_OFFSET + Wsanetworkevents.ERROR_CODE + WinsockConstants.FD_CONNECT_BIT * Integer.BYTES;

    private final WfmoDemultiplexer demultiplexer;
    private final Windows windows;
    private int place = NOWHERE;

    // The state that the system has; guarded by this object, for which two threads contend only when both change one
    // member, or one changes it while a waiter checks it.
    private final MemoryBlock memory;
    private int selected;
    private boolean left;
    /** Whether an attempt to connect has failed and that has not been reported yet. */
    private boolean attemptFailed;
    /**
     * Whether the system has reported a connection since the last report of this member, see {@link #mayBeForgotten}.
     */
    private boolean connectionReported;

    /**
     * Holds the handle open from now on.
     *
     * @param memory allocated before, since nothing would release the handle if the allocation failed; this closes it
     */
    WfmoMember(WfmoDemultiplexer demultiplexer, HandleSet set, Handle handle, int events, Object attachment,
            Windows windows, MemoryBlock memory) throws HandleClosedException {
        super(set, handle, events, attachment);
        this.demultiplexer = demultiplexer;
        this.windows = windows;
        this.memory = memory;
    }

    void placed(int newPlace) {
        place = newPlace;
    }

    int place() {
        return place;
    }

    @Override
    protected synchronized void follow() throws IOException {
        if (left) {
            return;
        }
        if (!isValid()) {
            leave();
            return;
        }
        int events = armedEvents();
        if (events != 0) {
            arm(events);
        } else if (activeEvents() == 0) {
            select(0);
        }
    }

    /** {@return bits of {@code WSAEventSelect} for those of {@link EventType#IO}} */
    private static int networkEvents(int events) {
        return (events == 0 ? 0 : ENDS)
                | ((events & EventType.READ) != 0 ? WinsockConstants.FD_READ | WinsockConstants.FD_ACCEPT : 0)
                | ((events & EventType.WRITE) != 0 ? WinsockConstants.FD_WRITE : 0)
                | ((events & EventType.EXCEPTION) != 0 ? WinsockConstants.FD_OOB : 0);
    }

    private void arm(int events) throws IOException {
        select(networkEvents(events));
        if (look(events) != 0) {
            demultiplexer.signal(place());
        } else if (mayBeForgotten(events)) {
            demultiplexer.watch(place());
            // Threads that wait without a timeout do not check it.
            demultiplexer.signal(place());
        }
    }

    /**
     * {@return whether the system may not report when a member that was not ready becomes ready} It promises to report
     * writability only if a send has failed, but the last send may merely have been short. And it reports a connection
     * once until the next accept: Wine (8 to 10) counts only an accept that succeeds, and may report a connection that
     * has just been accepted, so that the next one would never be reported.
     */
    private boolean mayBeForgotten(int events) {
        return (events & EventType.WRITE) != 0 || connectionReported;
    }

    // FD_WRITE comes only once, until a send has failed or it is asked for again.
    private void select(int networkEvents) throws IOException {
        if (networkEvents != selected || (networkEvents & WinsockConstants.FD_WRITE) != 0) {
            int result = windows.WSAEventSelect(descriptor(), networkEvents == 0 ? 0 : demultiplexer.event(place()),
                    networkEvents);
            if (result < 0) {
                throw new SystemCallException("WSAEventSelect", handle().toString(), WindowsError.toErrno(result));
            }
            selected = networkEvents;
        }
    }

    /** {@return which of the events the socket is ready for now} */
    private int look(int events) {
        Wsapollfd.set(memory.buffer(), 0, descriptor(), PollBits.WINDOWS.of(events));
        int result = windows.WSAPoll(memory.address(), 1, 0);
        if (result < 0) {
            // The next call on the socket will report why.
            return events;
        }
        return result == 0 ? 0 : PollBits.WINDOWS.events(Wsapollfd.revents(memory.buffer(), 0)) & events;
    }

    /**
     * Its event was set, or may be late: reports the member if it is ready and the caller is the thread to report it.
     */
    synchronized void report(ReadyBatch ready) {
        if (left) {
            return;
        }
        takeNetworkEvents();
        int events = armedEvents();
        if (events == 0) {
            return;
        }
        int found = attemptFailed ? events : look(events);
        if (found == 0) {
            if (mayBeForgotten(events)) {
                demultiplexer.watch(place());
            }
        } else if (claimReport()) {
            attemptFailed = false;
            connectionReported = false;
            ready.add(this, found);
        }
    }

    // Older versions of Windows do not report a failed attempt through WSAPoll. The call also allows the same network
    // events to set the event object again.
    private void takeNetworkEvents() {
        int result = windows.WSAEnumNetworkEvents(descriptor(), 0, memory.address() + NETWORK_EVENTS_OFFSET);
        if (result >= 0) {
            int occurred = memory.buffer().getInt(NETWORK_EVENTS_OFFSET + Wsanetworkevents.NETWORK_EVENTS);
            attemptFailed |= (occurred & WinsockConstants.FD_CONNECT) != 0
                    && memory.buffer().getInt(CONNECT_ERROR) != 0;
            connectionReported |= (occurred & WinsockConstants.FD_ACCEPT) != 0;
        }
    }

    /**
     * Leaves also if there is no memory or stack for the call: the socket may then set the event of a place that is
     * another member's, which is looked at for nothing.
     */
    private void leave() {
        left = true;
        try {
            if (selected != 0) {
                // Fails only if the socket was closed behind its handle's back; then there is nothing left to undo.
                windows.WSAEventSelect(descriptor(), 0, 0);
            }
        } finally {
            try {
                demultiplexer.forget(this);
            } finally {
                giveBack();
            }
        }
    }

    private void giveBack() {
        try {
            memory.close();
        } finally {
            releaseHandle();
        }
    }
}
