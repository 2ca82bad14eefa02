package dev.sluice.mechanism.iouring;

import dev.sluice.demultiplexer.EventType;
import java.nio.ByteBuffer;

/** Receives or sends a datagram with its address. */
final class Datagram extends Request {

    private final int opcode;
    private final int flags;
    private final int awaitedEvent;

    /**
     * Makes the request for receiving or for sending.
     *
     * @param opcode       of the request
     * @param flags        of the call
     * @param awaitedEvent as for {@link EventType}
     */
    Datagram(IoUringDemultiplexer demultiplexer, int opcode, int flags, int awaitedEvent) {
        super(demultiplexer);
        this.opcode = opcode;
        this.flags = flags;
        this.awaitedEvent = awaitedEvent;
    }

    @Override
    void encode(IoUringOperation operation, ByteBuffer entries, int at) {
        setMessage(operation, entries, at, opcode, flags);
    }

    @Override
    int awaitedEvent(IoUringOperation operation) {
        return awaitedEvent;
    }

    /** For a truncated datagram the kernel reports the full length. */
    @Override
    long most(IoUringOperation operation, int results) {
        return awaitedEvent == EventType.READ ? ANY : super.most(operation, results);
    }
}
