package dev.sluice.benchmarks.call;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Posix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The cheapest call that enters the kernel with arguments and may fail: {@code lseek} to where standard error is. On a
 * terminal and a pipe it fails with ESPIPE, which costs the same.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SystemCall {

    private static final int STANDARD_ERROR = 2;
    private static final int SEEK_CUR = 1;
    private static final MethodHandle PLAIN = ForeignFunctions.lseek();
    private static final MethodHandle CAPTURING = ForeignFunctions.lseek(ForeignFunctions.capturing());
    private static final MethodHandle CRITICAL = ForeignFunctions.lseek(ForeignFunctions.critical());

    private final MemorySegment callState = Arena.global().allocate(ForeignFunctions.callState());
    private int descriptor = STANDARD_ERROR;

    /** For JMH. */
    public SystemCall() {
    }

    /** A binding of Sluice, as demultiplexers use it. */
    @State(Scope.Thread)
    public static class Sluice {

        /** Its name. */
        @Param("ffm")
        public String binding;

        private Posix posix;

        /** For JMH. */
        public Sluice() {
        }

        /** Finds it. */
        @Setup
        public void find() {
            System.setProperty(Bindings.PROPERTY, binding);
            Binding found = Bindings.current();
            if (!found.name().equals(binding)) {
                throw new IllegalStateException("the binding is " + found.name() + ", not " + binding);
            }
            posix = found.posix();
        }
    }

    /**
     * {@return the result}
     *
     * @throws Throwable never
     */
    @Benchmark
    public long plain() throws Throwable {
        return (long) PLAIN.invokeExact(descriptor, 0L, SEEK_CUR);
    }

    /**
     * {@return the result}
     *
     * @throws Throwable never
     */
    @Benchmark
    public long capturing() throws Throwable {
        return (long) CAPTURING.invokeExact(callState, descriptor, 0L, SEEK_CUR);
    }

    /**
     * {@return the result}
     *
     * @throws Throwable never
     */
    @Benchmark
    public long critical() throws Throwable {
        return (long) CRITICAL.invokeExact(descriptor, 0L, SEEK_CUR);
    }

    /** {@return the result} */
    @Benchmark
    public long jna() {
        return DirectlyMapped.lseek(descriptor, 0L, SEEK_CUR);
    }

    /**
     * {@return the result}
     *
     * @param sluice the binding
     */
    @Benchmark
    public long sluice(Sluice sluice) {
        return sluice.posix.lseek(descriptor, 0L, SEEK_CUR);
    }
}
