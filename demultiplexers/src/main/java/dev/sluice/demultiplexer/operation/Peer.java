package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.PeerAddress;

/** To whom a stream is connected. */
public final class Peer extends Arguments {

    private PeerAddress peer;
    private int length;

    Peer(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.OUTPUT);
    }

    void set(PeerAddress newPeer) {
        peer = newPeer;
    }

    @Override
    void check() {
        requirePeer(peer);
    }

    @Override
    long prepare() {
        length = memory.putName(peer);
        return NEEDS_CALL;
    }

    /** {@return where the address lies} */
    public long address() {
        return memory.name();
    }

    /** {@return its length in bytes} */
    public int length() {
        return length;
    }

    @Override
    PeerAddress remote() {
        return peer;
    }

    @Override
    void forget() {
        peer = null;
    }
}
