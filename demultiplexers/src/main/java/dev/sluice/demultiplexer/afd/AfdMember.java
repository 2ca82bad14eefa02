package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.handleset.HandleSet;
import dev.sluice.demultiplexer.handleset.TableMember;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;

/** A socket and its poll request, for which the member has room. */
final class AfdMember extends TableMember {

    /** What a completion means for its member. */
    enum Outcome {
        /** It is in the batch. */
        REPORTED,
        /** Nothing to report; the request may have been made anew, and may have completed already. */
        POLLED_AGAIN,
        /** Nothing to report, and nothing to expect for now. */
        SILENT
    }

    private final AfdDemultiplexer demultiplexer;

    // Guarded by this object, for which two threads contend only when both change one member, or one changes it when
    // its completion has come.
    private long baseSocket;
    /** The events of the pending request; 0 if there is none. */
    private int polled;
    private boolean cancelled;
    /** Whether the driver refused it; then its packet is one of our own. */
    private boolean refused;
    private boolean left;

    AfdMember(AfdDemultiplexer demultiplexer, HandleSet set, Handle handle, int events, Object attachment)
            throws HandleClosedException {
        super(set, handle, events, attachment);
        this.demultiplexer = demultiplexer;
    }

    /** Finds the socket that the driver knows; other software may have put one of its own in front of it. */
    void findBaseSocket() throws SystemCallException {
        Windows windows = Bindings.current().windows();
        int result = windows.WSAIoctl(descriptor(), WinsockConstants.SIO_BASE_HANDLE, 0, 0,
                structureAddress() + AfdPollInfo.HANDLE, Long.BYTES, structureAddress(), 0, 0);
        if (result < 0) {
            throw new SystemCallException("WSAIoctl SIO_BASE_HANDLE", handle().toString(),
                    WindowsError.toErrno(result));
        }
        baseSocket = structure().getLong(structureAt() + AfdPollInfo.HANDLE);
    }

    @Override
    protected synchronized void follow() {
        if (left) {
            return;
        }
        // After the close its request is cancelled with all others, and its memory is freed with the table.
        boolean entered = demultiplexer.enter();
        try {
            if (!isValid()) {
                leave(entered);
            } else if (entered) {
                poll();
            }
        } finally {
            if (entered) {
                demultiplexer.leave();
            }
        }
    }

    private void leave(boolean entered) {
        left = true;
        try {
            if (polled == 0) {
                demultiplexer.forget(this);
            } else if (entered) {
                demultiplexer.device().cancel(structureAddress());
            }
        } finally {
            letGo();
        }
    }

    private void poll() {
        int events = armedEvents();
        if (polled != 0) {
            if ((events & ~polled) != 0 && !cancelled) {
                demultiplexer.device().cancel(structureAddress());
                cancelled = true;
            }
        } else if (events != 0 && !start(events)) {
            // The socket's next call will tell why it was refused.
            demultiplexer.device().postInstead(eventData());
            demultiplexer.pollRefused();
            refused = true;
            polled = events;
        }
    }

    private boolean start(int events) {
        AfdPollInfo.set(structure(), structureAt(), baseSocket, events);
        boolean started = demultiplexer.device().start(structureAddress(), eventData());
        if (started) {
            polled = events;
        }
        return started;
    }

    /** The request's packet has been taken, by this caller only. */
    synchronized Outcome completed(ReadyBatch ready) {
        demultiplexer.device().completed();
        int found = refused ? EventType.IO : AfdPollInfo.events(structure(), structureAt());
        polled = 0;
        cancelled = false;
        refused = false;
        if (left) {
            demultiplexer.forget(this);
            return Outcome.SILENT;
        }
        int wanted = armedEvents();
        found &= wanted;
        if (found == 0 && wanted != 0) {
            if (start(wanted)) {
                return Outcome.POLLED_AGAIN;
            }
            // Reported without a packet, since that could be refused as well while other members are still to be looked
            // at.
            demultiplexer.pollRefused();
            found = wanted;
        }
        if (found != 0 && (demultiplexer.trigger() == Trigger.LEVEL || quieten())) {
            ready.add(this, found);
            return Outcome.REPORTED;
        }
        return Outcome.SILENT;
    }

    /** The demultiplexer is closed, and the request's packet has been taken. */
    synchronized void ended() {
        demultiplexer.device().completed();
        demultiplexer.forget(this);
    }
}
