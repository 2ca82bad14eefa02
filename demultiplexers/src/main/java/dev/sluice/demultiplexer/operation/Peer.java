package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.PeerAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The address that a stream is connected to. */
public final class Peer extends Arguments {

    private @Nullable PeerAddress peer;
    private int length;

    Peer(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.OUTPUT);
    }

    void set(PeerAddress newPeer) {
        peer = newPeer;
    }

    @Override
    void check() {
        requirePeer(Objects.requireNonNull(peer, "remote"));
    }

    @Override
    long prepare() {
        assert peer != null;
        length = memory.putName(peer);
        return NEEDS_CALL;
    }

    /** {@return the native address of the peer's address} */
    public long address() {
        return memory.name();
    }

    /** {@return the length of the peer's address in bytes} */
    public int length() {
        return length;
    }

    @Override
    @Nullable PeerAddress remote() {
        return peer;
    }

    @Override
    void forget() {
        peer = null;
    }
}
