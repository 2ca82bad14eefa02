package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Peer;
import dev.sluice.demultiplexer.spi.EventType;

/** Connects a stream socket. */
final class Connect extends Attempt<Peer> {

    Connect(Emulation emulation, Peer arguments) {
        super(emulation, arguments);
    }

    @Override
    protected void begin() {
        long result = emulation.posix.connect(descriptor(), arguments.address(), arguments.length());
        // An attempt that is interrupted continues (connect(2)).
        if (Errno.EINPROGRESS.is(result) || Errno.EINTR.is(result)) {
            await(EventType.WRITE);
        } else {
            outcomes.complete(operation, result);
        }
    }

    @Override
    boolean ready(int came) {
        outcomes.complete(operation, outcome());
        return true;
    }

    /** {@return the outcome of a connection attempt: 0, or a negated error number} */
    private int outcome() {
        CallMemory memory = memory();
        int at = memory.structureAt();
        memory.structure().putInt(at, 0).putInt(at + Integer.BYTES, Integer.BYTES);
        int result = emulation.posix.getsockopt(descriptor(), SocketConstants.SOL_SOCKET, SocketConstants.SO_ERROR,
                memory.structureAddress(), memory.structureAddress() + Integer.BYTES);
        return result < 0 ? result : -memory.structure().getInt(at);
    }
}
