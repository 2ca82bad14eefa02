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
import org.jspecify.annotations.Nullable;

/** A socket and its poll request. */
final class AfdMember extends KernelMember {

    private static final long UNKNOWN = -1;

    /** The result of the completion of a request. */
    enum Outcome {
        /** The member has been added to the batch. */
        REPORTED,
        /** The member is not ready; its request has been issued again, and may have completed already. */
        POLLED_AGAIN,
        /** The member is not ready, and has no request. */
        SILENT
    }

    private final AfdDemultiplexer demultiplexer;

    // Guarded by this object, for which two threads contend only if both change the member, or one changes it while
    // another takes its completion.
    private long baseSocket = UNKNOWN;
    /** The events of the pending request; 0 if there is none. */
    private int polled;
    private boolean cancelled;
    /** Whether the driver has refused the request, so that its packet is one that this class has posted. */
    private boolean refused;

    AfdMember(AfdDemultiplexer demultiplexer, Handle handle, int events, @Nullable Object attachment)
            throws HandleClosedException {
        super(demultiplexer, handle, events, attachment);
        this.demultiplexer = demultiplexer;
    }

    /**
     * Finds the socket that the driver knows, which differs if other software has layered a socket of its own over it.
     */
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
                demultiplexer.cancel(structureAddress());
            }
            return;
        }
        if (baseSocket == UNKNOWN) {
            findBaseSocket();
        }
        int events = armedEvents();
        if (polled != 0) {
            if ((events & ~polled) != 0 && !cancelled) {
                demultiplexer.cancel(structureAddress());
                cancelled = true;
            }
        } else if (events != 0 && !start(events)) {
            // The next call on the socket reports why the request was refused.
            demultiplexer.postInstead(eventData());
            refused = true;
            polled = events;
        }
    }

    /** {@inheritDoc} The system writes to the memory of a request until that completes, even if it is cancelled. */
    @Override
    protected boolean isForgotten() {
        return polled == 0;
    }

    /** Issues the request again after a report, unless no events are wanted any more. */
    void pollAgain() throws IOException {
        follow();
    }

    private boolean start(int events) {
        AfdPollInfo.set(structure(), structureAt(), baseSocket, events);
        boolean started = demultiplexer.start(structureAddress(), eventData());
        if (started) {
            polled = events;
        }
        return started;
    }

    /** Called by the one thread that has taken the packet of the request. */
    synchronized Outcome completed(ReadyBatch ready) {
        demultiplexer.completed();
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
            // Reported without a packet, which the system could refuse as well while other packets have not been
            // handled.
            demultiplexer.pollRefused();
            found = wanted;
        }
        if (found != 0 && (demultiplexer.trigger() == Trigger.LEVEL || claimReport())) {
            ready.add(this, found);
            return Outcome.REPORTED;
        }
        return Outcome.SILENT;
    }

    /** Called when the demultiplexer is closed and the packet of the request has been taken. */
    synchronized void ended() {
        demultiplexer.completed();
        forget();
    }
}
