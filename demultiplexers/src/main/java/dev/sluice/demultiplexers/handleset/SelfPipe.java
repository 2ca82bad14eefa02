package dev.sluice.demultiplexers.handleset;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.handle.SystemCallException;

/** Any Unix: a pipe whose both ends the process keeps. */
final class SelfPipe extends WakeUpDescriptor {

    private final Posix posix;
    private final int source;
    private final int sink;

    SelfPipe(Binding binding, String demultiplexer) throws SystemCallException {
        super(demultiplexer);
        posix = binding.posix();
        try (MemoryBlock ends = binding.memory().allocate(2 * Integer.BYTES)) {
            int result = posix.pipe(ends.address());
            if (result < 0) {
                throw failure("pipe", result);
            }
            source = ends.buffer().getInt(0);
            sink = ends.buffer().getInt(Integer.BYTES);
        }
        int result = prepare(source);
        result = result < 0 ? result : prepare(sink);
        if (result < 0) {
            close();
            throw failure("fcntl", result);
        }
    }

    // Not every system can open a pipe that way at once.
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
        posix.close(source);
        posix.close(sink);
    }
}
