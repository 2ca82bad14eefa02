package dev.sluice.calls;

import java.nio.ByteBuffer;

/** The memory of a binding that is never called. */
final class NoMemory implements Memory {

    Binding binding(String name) {
        return new Binding(name, Platform.CURRENT.os(), this, null, null, null, null);
    }

    @Override
    public MemoryBlock allocate(int size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ByteBuffer allocateBuffer(int size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MemoryBlock wrap(long address, int size, Runnable release) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long address(ByteBuffer direct) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean lasts(ByteBuffer direct) {
        throw new UnsupportedOperationException();
    }
}
