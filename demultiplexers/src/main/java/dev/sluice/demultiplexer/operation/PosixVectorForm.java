package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Msghdr;
import java.nio.ByteBuffer;

/** For {@code sendmsg}, {@code recvmsg}, {@code preadv} and {@code pwritev}. */
final class PosixVectorForm implements VectorForm {

    @Override
    public void setElement(ByteBuffer memory, int at, long address, int length) {
        Iovec.set(memory, at, address, length);
    }

    @Override
    public void setMessage(ByteBuffer memory, int at, long name, int nameLength, long vector, int count) {
        Msghdr.set(memory, at, name, nameLength, vector, count);
    }

    @Override
    public int nameLength(ByteBuffer memory, int at) {
        return Msghdr.nameLength(memory, at);
    }
}
