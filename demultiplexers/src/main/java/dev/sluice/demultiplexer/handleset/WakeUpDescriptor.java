package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.handle.SystemCallException;

/**
 * The descriptor that a thread makes readable to get a waiter's attention; each system has its own kind. Results are
 * counts, or the negated number of an {@link Errno}.
 */
abstract class WakeUpDescriptor {

    /** The number of bytes that a signal consists of. */
    static final int SIGNAL_BYTES = Long.BYTES;

    private final String demultiplexer;

    WakeUpDescriptor(String demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    /** Opens a non-blocking one, of the best kind that the system has. */
    static WakeUpDescriptor open(Binding binding, String demultiplexer) throws SystemCallException {
        if (binding.os() == Platform.Os.LINUX) {
            return UnixWakeUpDescriptor.eventFd(binding, demultiplexer, EpollConstants.EFD_NONBLOCK);
        }
        return binding.os() == Platform.Os.WINDOWS
                ? new SelfConnectedSocket(binding, demultiplexer)
                : UnixWakeUpDescriptor.pipe(binding, demultiplexer);
    }

    /** {@return the descriptor to wait for} */
    abstract long readable();

    /**
     * Writes a signal: {@link #SIGNAL_BYTES} bytes, which make up the number 1. If that results in
     * {@link Errno#EAGAIN}, the descriptor is full, and therefore readable.
     */
    abstract long write(long address);

    /** {@return the C function that writes} */
    abstract String writeCall();

    /** Reads a signal. */
    abstract long read(long address);

    abstract void close();

    final SystemCallException failure(String call, long result) {
        return failure(call, demultiplexer, result);
    }

    static SystemCallException failure(String call, String demultiplexer, long result) {
        return new SystemCallException(call, "wake-up of " + demultiplexer, result);
    }
}
