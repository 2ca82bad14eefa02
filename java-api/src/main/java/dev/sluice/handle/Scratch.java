package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.SockaddrStorage;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;

/**
 * Native memory for the arguments of one call at a time: each thread has its own, so that a call needs neither an
 * allocation nor a lock. Given back when the thread is gone.
 */
final class Scratch {

    /** How much of a heap buffer travels in one call. */
    static final int COPY_SIZE = 64 * 1024;

    /** Room for an option's value, a length, a {@code pollfd}. */
    static final int VALUE = 0;
    static final int VALUE_SIZE = 64;
    /** Room for a length beside a value. */
    static final int LENGTH = VALUE + VALUE_SIZE;
    static final int ADDRESS = LENGTH + 64;
    static final int MESSAGE = ADDRESS + SockaddrStorage.SIZE;
    static final int VECTOR = MESSAGE + 64;
    static final int COPY = VECTOR + FileConstants.IOV_MAX * Iovec.SIZE;
    private static final int SIZE = COPY + COPY_SIZE;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final ThreadLocal<Scratch> CURRENT = new ThreadLocal<>();

    static {
        assert Msghdr.SIZE <= VECTOR - MESSAGE;
    }

    private final Binding binding;
    private final ByteBuffer memory;
    private final long address;

    private Scratch(Binding binding) {
        MemoryBlock block = binding.memory().allocate(SIZE);
        this.binding = binding;
        this.memory = block.buffer();
        this.address = block.address();
        CLEANER.register(this, block::close);
    }

    static Scratch current(Binding binding) {
        Scratch scratch = CURRENT.get();
        if (scratch == null || scratch.binding != binding) {
            scratch = new Scratch(binding);
            CURRENT.set(scratch);
        }
        return scratch;
    }

    ByteBuffer memory() {
        return memory;
    }

    long address(int at) {
        return address + at;
    }
}
