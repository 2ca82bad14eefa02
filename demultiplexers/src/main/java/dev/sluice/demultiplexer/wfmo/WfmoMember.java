package dev.sluice.demultiplexer.wfmo;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.calls.layout.Wsanetworkevents;
import dev.sluice.calls.layout.Wsapollfd;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.handleset.PollBits;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A socket, whose network events set the event object of its slot. */
final class WfmoMember extends KernelMember {

    /**
     * The network events of the end of a connection or of a connection attempt, after which a socket is ready for
     * everything.
     */
    private static final int ENDS = WinsockConstants.FD_CLOSE | WinsockConstants.FD_CONNECT;

    private static final int NETWORK_EVENTS_OFFSET = Wsapollfd.SIZE;
    private static final int CONNECT_ERROR =
            NETWORK_EVENTS_OFFSET + Wsanetworkevents.ERROR_CODE + WinsockConstants.FD_CONNECT_BIT * Integer.BYTES;
    /** The size of the structure of a member: a multiple of 8, because a socket takes 8 bytes. */
    static final int STRUCTURE_SIZE = NETWORK_EVENTS_OFFSET + Wsanetworkevents.SIZE + Long.BYTES - 1 & -Long.BYTES;

    private final WfmoDemultiplexer demultiplexer;
    private final Windows windows = Bindings.current().windows();

    // Guarded by this object, for which two threads contend only if both change the member, or one changes it while a
    // waiter checks it.
    private int selected;
    /** Whether a connection attempt has failed and the failure has not been reported yet. */
    private boolean attemptFailed;
    /**
     * Whether the system has reported a connection since the last report of this member, see {@link #mayMissEvent}.
     */
    private boolean connectionReported;

    WfmoMember(WfmoDemultiplexer demultiplexer, Handle handle, int events, @Nullable Object attachment)
            throws HandleClosedException {
        super(demultiplexer, handle, events, attachment);
        this.demultiplexer = demultiplexer;
    }

    /**
     * {@inheritDoc} If there is no memory or stack for the last call, the socket may set the event of a slot that
     * belongs to another member, which is then checked without need.
     */
    @Override
    protected void updateKernel() throws IOException {
        int events = armedEvents();
        if (!isValid()) {
            if (selected != 0) {
                // Fails only if other code has closed the socket, and then there is nothing left to undo.
                windows.WSAEventSelect(descriptor(), 0, 0);
            }
        } else if (events != 0) {
            arm(events);
        } else if (activeEvents() == 0) {
            select(0);
        }
    }

    /** {@return the bits of {@code WSAEventSelect} for bits of {@link EventType#IO}} */
    private static int networkEvents(int events) {
        return (events == 0 ? 0 : ENDS)
                | ((events & EventType.READ) != 0 ? WinsockConstants.FD_READ | WinsockConstants.FD_ACCEPT : 0)
                | ((events & EventType.WRITE) != 0 ? WinsockConstants.FD_WRITE : 0)
                | ((events & EventType.EXCEPTION) != 0 ? WinsockConstants.FD_OOB : 0);
    }

    private void arm(int events) throws IOException {
        select(networkEvents(events));
        if (poll(events) != 0) {
            demultiplexer.set(slot());
        } else if (mayMissEvent(events)) {
            demultiplexer.watch(slot());
            // Ends a wait without a timeout, which would not check the member.
            demultiplexer.set(slot());
        }
    }

    /**
     * {@return whether the system may fail to report that the member becomes ready} Windows reports writability only
     * after a send has failed, but the last send may merely have been short. And it reports a connection only once
     * until the next accept; Wine (8 to 10) counts only an accept that succeeds, and may report a connection that has
     * just been accepted, so that the next connection would never be reported.
     */
    private boolean mayMissEvent(int events) {
        return (events & EventType.WRITE) != 0 || connectionReported;
    }

    // FD_WRITE is reported once, until a send has failed or the event is selected again.
    private void select(int networkEvents) throws IOException {
        if (networkEvents != selected || (networkEvents & WinsockConstants.FD_WRITE) != 0) {
            int result = windows.WSAEventSelect(descriptor(), networkEvents == 0 ? 0 : demultiplexer.event(slot()),
                    networkEvents);
            if (result < 0) {
                throw new SystemCallException("WSAEventSelect", handle().toString(), WindowsError.toErrno(result));
            }
            selected = networkEvents;
        }
    }

    /** {@return which of the events the socket is ready for now} */
    private int poll(int events) {
        Wsapollfd.set(structure(), structureAt(), descriptor(), PollBits.WINDOWS.of(events));
        int result = windows.WSAPoll(structureAddress(), 1, 0);
        if (result < 0) {
            // The next call on the socket will report why.
            return events;
        }
        return result == 0 ? 0 : PollBits.WINDOWS.events(Wsapollfd.revents(structure(), structureAt())) & events;
    }

    /**
     * Called when the event of the member has been set, or may be missing: reports the member if it is ready and no
     * other thread does.
     */
    synchronized void report(ReadyBatch ready) {
        if (hasLeft()) {
            return;
        }
        takeNetworkEvents();
        int events = armedEvents();
        if (events == 0) {
            return;
        }
        int found = attemptFailed ? events : poll(events);
        if (found == 0) {
            if (mayMissEvent(events)) {
                demultiplexer.watch(slot());
            }
        } else if (claimReport()) {
            attemptFailed = false;
            connectionReported = false;
            ready.add(this, found);
        }
    }

    // Older versions of Windows do not report a failed connection attempt through WSAPoll. The call also enables the
    // same network events to set the event object again.
    private void takeNetworkEvents() {
        int result = windows.WSAEnumNetworkEvents(descriptor(), 0, structureAddress() + NETWORK_EVENTS_OFFSET);
        if (result >= 0) {
            int occurred = structure().getInt(structureAt() + NETWORK_EVENTS_OFFSET
                    + Wsanetworkevents.NETWORK_EVENTS);
            attemptFailed |= (occurred & WinsockConstants.FD_CONNECT) != 0
                    && structure().getInt(structureAt() + CONNECT_ERROR) != 0;
            connectionReported |= (occurred & WinsockConstants.FD_ACCEPT) != 0;
        }
    }
}
