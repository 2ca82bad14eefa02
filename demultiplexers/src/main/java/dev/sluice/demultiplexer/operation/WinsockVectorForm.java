package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.layout.Wsabuf;
import java.nio.ByteBuffer;

/** For {@code WSASend}, {@code WSARecv} and the like, which of a message need only room for the size of the address. */
final class WinsockVectorForm implements VectorForm {

    @Override
    public void setElement(ByteBuffer memory, int at, long address, int length) {
        Wsabuf.set(memory, at, address, length);
    }

    @Override
    public void setMessage(ByteBuffer memory, int at, long name, int nameLength, long vector, int count) {
        memory.putInt(at, nameLength);
    }

    @Override
    public int nameLength(ByteBuffer memory, int at) {
        return memory.getInt(at);
    }
}
