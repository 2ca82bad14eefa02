package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.PeerAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The bytes and the peer of a datagram, which may be empty, and which one call sends or receives as a whole. */
public final class Datagram extends Transfer {

    private @Nullable PeerAddress peer;

    Datagram(OperationSlot operation, OperationType type, Direction direction, boolean output) {
        super(operation, type, direction, output);
    }

    void set(ByteBuffer buffer, @Nullable PeerAddress newPeer) {
        set(buffer, 0, false);
        peer = newPeer;
    }

    @Override
    void check() {
        super.check();
        if (isOutput() && peer != null) {
            requirePeer(peer);
        }
    }

    @Override
    int takeStage(int bytes) {
        memory.takeStage(bytes);
        return bytes;
    }

    @Override
    void prepareNext() {
        super.prepareNext();
        memory.clearVector();
        memory.addElement(address(), length());
        memory.endMessage(prepareName());
    }

    private int prepareName() {
        if (!isOutput()) {
            return SockaddrStorage.SIZE;
        }
        return peer == null ? 0 : memory.putName(peer);
    }

    @Override
    public boolean isVectored() {
        return true;
    }

    @Override
    boolean isNothing() {
        return false;
    }

    @Override
    long result(long lastAttempt) {
        return lastAttempt;
    }

    @Override
    boolean continuesStream() {
        return false;
    }

    @Override
    void takeOver(long result) {
        if (!isOutput() && result >= 0 && peer != null) {
            memory.readName(peer);
        }
        super.takeOver(result);
    }

    @Override
    @Nullable PeerAddress remote() {
        return isOutput() ? peer : null;
    }

    @Override
    void forget() {
        peer = null;
    }
}
