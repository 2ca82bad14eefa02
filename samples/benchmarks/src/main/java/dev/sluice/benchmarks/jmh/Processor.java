package dev.sluice.benchmarks.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * One processor, for threads that take turns. Where each has a processor of its own, that one falls idle, and waking it
 * up takes many times as long as what is measured, and a different time in each round. Linux alone has the calls; on
 * other systems threads run where they like.
 */
public final class Processor {

    /** The size of a {@code cpu_set_t}. */
    private static final int SET_BYTES = 128;
    private static final MethodHandle CURRENT = link("sched_getcpu", FunctionDescriptor.of(ValueLayout.JAVA_INT));
    // sched_setaffinity(2): of the thread, in spite of what its first parameter is called.
    private static final MethodHandle SET_AFFINITY = link("sched_setaffinity",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
                    ValueLayout.ADDRESS));
    private static final int CALLING_THREAD = 0;

    private final int number;

    private Processor(int number) {
        this.number = number;
    }

    private static MethodHandle link(String name, FunctionDescriptor type) {
        Optional<MemorySegment> function = Linker.nativeLinker().defaultLookup().find(name);
        return function.map(found -> Linker.nativeLinker().downcallHandle(found, type)).orElse(null);
    }

    /** {@return the one that the calling thread is running on} */
    public static Processor current() {
        try {
            return new Processor(CURRENT == null ? -1 : (int) CURRENT.invokeExact());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Keeps the calling thread, and those that it starts from now on, on this processor. */
    public void bind() {
        if (number < 0 || SET_AFFINITY == null) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET_BYTES, Long.BYTES);
            int word = number / Long.SIZE;
            set.setAtIndex(ValueLayout.JAVA_LONG, word, 1L << number % Long.SIZE);
            int result = (int) SET_AFFINITY.invokeExact(CALLING_THREAD, (long) SET_BYTES, set);
            if (result != 0) {
                throw new IllegalStateException("a thread cannot be kept on processor " + number);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
