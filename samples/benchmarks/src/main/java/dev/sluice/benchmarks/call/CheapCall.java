package dev.sluice.benchmarks.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A function of a few instructions, {@code abs}: the rest is the cost of the call. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CheapCall {

    private static final MethodHandle PLAIN = ForeignFunctions.abs();
    private static final MethodHandle CAPTURING = ForeignFunctions.abs(ForeignFunctions.capturing());
    private static final MethodHandle CRITICAL = ForeignFunctions.abs(ForeignFunctions.critical());

    private final MemorySegment callState = Arena.global().allocate(ForeignFunctions.callState());
    private int number = -1;

    /** For JMH. */
    public CheapCall() {
    }

    /**
     * {@return the result}
     *
     * @throws Throwable never
     */
    @Benchmark
    public int plain() throws Throwable {
        return (int) PLAIN.invokeExact(number);
    }

    /**
     * {@return the result}
     *
     * @throws Throwable never
     */
    @Benchmark
    public int capturing() throws Throwable {
        return (int) CAPTURING.invokeExact(callState, number);
    }

    /**
     * {@return the result}
     *
     * @throws Throwable never
     */
    @Benchmark
    public int critical() throws Throwable {
        return (int) CRITICAL.invokeExact(number);
    }

    /** {@return the result} */
    @Benchmark
    public int jna() {
        return DirectlyMapped.abs(number);
    }

    /** {@return the result} */
    @Benchmark
    public int java() {
        return Math.abs(number);
    }
}
