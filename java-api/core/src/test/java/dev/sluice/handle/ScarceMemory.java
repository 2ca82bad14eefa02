package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Linux;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.Windows;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/** Native memory whose allocations fail when a test decides so. */
public final class ScarceMemory implements Memory {

    /** The beginning of the message of every {@link OutOfMemoryError} thrown here. */
    public static final String PLANNED = "as planned";

    private final Memory real;
    private final IntPredicate runsOut;

    /**
     * Creates a memory.
     *
     * @param real    the memory to allocate from
     * @param runsOut decides for each allocation whether it fails
     */
    public ScarceMemory(Memory real, BooleanSupplier runsOut) {
        this(real, (int size) -> runsOut.getAsBoolean());
    }

    private ScarceMemory(Memory real, IntPredicate runsOut) {
        this.real = real;
        this.runsOut = runsOut;
    }

    /**
     * Decorates a binding.
     *
     * @param real    the binding
     * @param runsOut decides for each allocation whether it fails
     * @return the binding with scarce memory
     */
    public static Binding of(Binding real, BooleanSupplier runsOut) {
        return ofSizes(real, size -> runsOut.getAsBoolean());
    }

    /**
     * Decorates a binding.
     *
     * @param real    the binding
     * @param runsOut decides for each number of bytes whether the allocation fails
     * @return the binding with scarce memory
     */
    public static Binding ofSizes(Binding real, IntPredicate runsOut) {
        return with(real, new ScarceMemory(real.memory(), runsOut));
    }

    /** {@return the binding with another memory} */
    static Binding with(Binding real, Memory memory) {
        Map<Class<?>, Object> families = new HashMap<>();
        real.decorated("looked into", new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                families.put(family, calls);
                return calls;
            }
        });
        return new Binding("scarce", real.os(), memory, (Posix) families.get(Posix.class),
                (Linux) families.get(Linux.class), (Bsd) families.get(Bsd.class),
                (Windows) families.get(Windows.class));
    }

    @Override
    public MemoryBlock allocate(int size) {
        if (runsOut.test(size)) {
            throw new OutOfMemoryError(PLANNED + ", instead of " + size + " bytes");
        }
        return real.allocate(size);
    }

    @Override
    public ByteBuffer allocateBuffer(int size) {
        if (runsOut.test(size)) {
            throw new OutOfMemoryError(PLANNED + ", instead of " + size + " bytes");
        }
        return real.allocateBuffer(size);
    }

    @Override
    public MemoryBlock wrap(long address, int size, Runnable release) {
        return real.wrap(address, size, release);
    }

    @Override
    public long address(ByteBuffer direct) {
        return real.address(direct);
    }

    @Override
    public long sharedAddress(ByteBuffer direct) {
        return real.sharedAddress(direct);
    }

    @Override
    public boolean lasts(ByteBuffer direct) {
        return real.lasts(direct);
    }
}
