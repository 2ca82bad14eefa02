package dev.sluice.demultiplexers.handleset;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.handle.SystemCallException;

/** Linux: a counter with one descriptor. */
final class EventFd extends WakeUpDescriptor {

    private final Posix posix;
    private final int descriptor;

    private EventFd(Binding binding, String demultiplexer, int flags) throws SystemCallException {
        super(demultiplexer);
        posix = binding.posix();
        descriptor = binding.linux().eventfd(0, EpollConstants.EFD_CLOEXEC | flags);
        if (descriptor < 0) {
            throw failure("eventfd", descriptor);
        }
    }

    static EventFd nonBlocking(Binding binding, String demultiplexer) throws SystemCallException {
        return new EventFd(binding, demultiplexer, EpollConstants.EFD_NONBLOCK);
    }

    static EventFd blocking(Binding binding, String demultiplexer) throws SystemCallException {
        return new EventFd(binding, demultiplexer, 0);
    }

    @Override
    long readable() {
        return descriptor;
    }

    @Override
    long write(long address) {
        return posix.write(descriptor, address, SIGNAL_BYTES);
    }

    @Override
    String writeCall() {
        return "write";
    }

    @Override
    long read(long address) {
        return posix.read(descriptor, address, SIGNAL_BYTES);
    }

    @Override
    void close() {
        posix.close(descriptor);
    }
}
