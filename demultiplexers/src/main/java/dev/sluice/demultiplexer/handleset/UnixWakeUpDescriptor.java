package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.SystemCallException;

/**
 * For Unix: a descriptor to write to, and one to read from. On Linux it is an eventfd, a counter whose one descriptor
 * is both; on other systems a pipe, both ends of which the process keeps.
 */
final class UnixWakeUpDescriptor extends WakeUpDescriptor {

    private final Posix posix;
    private final int source;
    private final int sink;
    private final CloseSteps closing;

    private UnixWakeUpDescriptor(Posix posix, String demultiplexer, int source, int sink) {
        super(demultiplexer);
        this.posix = posix;
        this.source = source;
        this.sink = sink;
        this.closing = sink == source ? new CloseSteps(() -> close(source))
                : new CloseSteps(() -> close(source), () -> close(sink));
    }

    static WakeUpDescriptor eventFd(Binding binding, String demultiplexer, int flags)
            throws SystemCallException {
        int descriptor = binding.linux().eventfd(0, EpollConstants.EFD_CLOEXEC | flags);
        if (descriptor < 0) {
            throw failure("eventfd", demultiplexer, descriptor);
        }
        return new UnixWakeUpDescriptor(binding.posix(), demultiplexer, descriptor, descriptor);
    }

    static WakeUpDescriptor pipe(Binding binding, String demultiplexer) throws SystemCallException {
        UnixWakeUpDescriptor pipe;
        try (MemoryBlock ends = binding.memory().allocate(2 * Integer.BYTES)) {
            int result = binding.posix().pipe(ends.address());
            if (result < 0) {
                throw failure("pipe", demultiplexer, result);
            }
            pipe = new UnixWakeUpDescriptor(binding.posix(), demultiplexer, ends.buffer().getInt(0),
                    ends.buffer().getInt(Integer.BYTES));
        }
        int result = pipe.prepare(pipe.source);
        result = result < 0 ? result : pipe.prepare(pipe.sink);
        if (result < 0) {
            pipe.close();
            throw pipe.failure("fcntl", result);
        }
        return pipe;
    }

    // Not every system can open a pipe that way in one call.
    private int prepare(int end) {
        int result = posix.fcntl(end, FileConstants.F_SETFD, FileConstants.FD_CLOEXEC);
        return result < 0 ? result : posix.fcntl(end, FileConstants.F_SETFL, FileConstants.O_NONBLOCK);
    }

    @Override
    long readable() {
        return source;
    }

    @Override
    long write(long address) {
        return posix.write(sink, address, SIGNAL_BYTES);
    }

    @Override
    String writeCall() {
        return "write";
    }

    @Override
    long read(long address) {
        return posix.read(source, address, SIGNAL_BYTES);
    }

    @Override
    void close() {
        closing.run();
    }

    private void close(int end) {
        RepeatedCall.run(() -> posix.close(end));
    }
}
