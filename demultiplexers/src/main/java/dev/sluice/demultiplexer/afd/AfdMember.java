package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/** A socket, and the memory of its poll request. */
final class AfdMember extends KernelMember {

    private static final long UNKNOWN = -1;

    /** What a completion means for its member. */
    enum Outcome {
        /** It is in the batch. */
        REPORTED,
        /** Nothing to report; the request may have been issued again, and may have completed already. */
        POLLED_AGAIN,
        /** Nothing to report, and nothing to expect for now. */
        SILENT
    }

    private final AfdDemultiplexer demultiplexer;

    // Guarded by this object, for which two threads contend only when both change one member, or one changes it when
    // its completion has come.
    private long baseSocket = UNKNOWN;
    /** The events of the pending request; 0 if there is none. */
    private int polled;
    private boolean cancelled;
    /** Whether the driver refused it; then its packet is one of our own. */
    private boolean refused;

    AfdMember(AfdDemultiplexer demultiplexer, Handle handle, int events, Object attachment)
            throws HandleClosedException {
        super(demultiplexer, handle, events, attachment);
        this.demultiplexer = demultiplexer;
    }

    /** Finds the socket that the driver knows; other software may have put one of its own in front of it. */
    private void findBaseSocket() throws SystemCallException {
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
    protected void updateKernel() throws SystemCallException {
        if (!isValid()) {
            if (polled != 0) {
                demultiplexer.device().cancel(structureAddress());
            }
            return;
        }
        if (baseSocket == UNKNOWN) {
            findBaseSocket();
        }
        int events = armedEvents();
        if (polled != 0) {
            if ((events & ~polled) != 0 && !cancelled) {
                demultiplexer.device().cancel(structureAddress());
                cancelled = true;
            }
        } else if (events != 0 && !start(events)) {
            // The socket's next call will report why the request was refused.
            demultiplexer.device().postInstead(eventData());
            demultiplexer.pollRefused();
            refused = true;
            polled = events;
        }
    }

    /** {@inheritDoc} The system writes to the memory of a request, even if it is cancelled, until it completes. */
    @Override
    protected boolean isForgotten() {
        return polled == 0;
    }

    /** Issues the request again, if the member has been reported and is still wanted. */
    void pollAgain() throws IOException {
        follow();
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
        if (hasLeft()) {
            forget();
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
        if (found != 0 && (demultiplexer.trigger() == Trigger.LEVEL || claimReport())) {
            ready.add(this, found);
            return Outcome.REPORTED;
        }
        return Outcome.SILENT;
    }

    /** The demultiplexer is closed, and the request's packet has been taken. */
    synchronized void ended() {
        demultiplexer.device().completed();
        forget();
    }
}
