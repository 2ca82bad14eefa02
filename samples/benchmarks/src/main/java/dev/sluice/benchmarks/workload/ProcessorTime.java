package dev.sluice.benchmarks.workload;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The processor time of this process, of its children or of a thread, in nanoseconds: what {@code /proc} tells is
 * counted in ticks of 10 ms.
 */
public final class ProcessorTime {

    private static final MethodHandle CLOCK_GETTIME = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().find("clock_gettime").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    private static final MemoryLayout TIMESPEC = MemoryLayout.structLayout(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);
    private static final boolean LINUX = System.getProperty("os.name").equals("Linux");
    private static final int CLOCK_PROCESS_CPUTIME_ID = LINUX ? 2 : 12;
    private static final int CLOCK_THREAD_CPUTIME_ID = LINUX ? 3 : 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long NANOS_PER_MICROSECOND = 1_000;

    private ProcessorTime() {
    }

    /** {@return of all threads of this process, dead and alive, those that io_uring has made in the kernel included} */
    public static long ofProcess() {
        return read(CLOCK_PROCESS_CPUTIME_ID);
    }

    /** {@return of the calling thread, a platform thread} */
    public static long ofThread() {
        return read(CLOCK_THREAD_CPUTIME_ID);
    }

    /**
     * {@return of the processes that this one has started and that have ended, their descendants included; on Unix}
     */
    public static long ofChildren() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(Children.RUSAGE);
            int result = (int) Children.GETRUSAGE.invokeExact(Children.RUSAGE_CHILDREN, usage);
            if (result != 0) {
                throw new IllegalStateException("getrusage fails");
            }
            long seconds = usage.get(ValueLayout.JAVA_LONG, 0) + usage.get(ValueLayout.JAVA_LONG, 16);
            long micros = usage.get(ValueLayout.JAVA_LONG, 8) + usage.get(ValueLayout.JAVA_LONG, 24);
            return seconds * NANOS_PER_SECOND + micros * NANOS_PER_MICROSECOND;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Apart, since Windows does not have the function. */
    private static final class Children {

        private static final MethodHandle GETRUSAGE = Linker.nativeLinker().downcallHandle(
                Linker.nativeLinker().defaultLookup().find("getrusage").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        private static final int RUSAGE_CHILDREN = -1;
        /** The times of user and system, in seconds and microseconds, and 14 numbers. */
        private static final MemoryLayout RUSAGE = MemoryLayout.sequenceLayout(18, ValueLayout.JAVA_LONG);
    }

    private static long read(int clock) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(TIMESPEC);
            int result = (int) CLOCK_GETTIME.invokeExact(clock, time);
            if (result != 0) {
                throw new IllegalStateException("clock_gettime " + clock + " fails");
            }
            return time.get(ValueLayout.JAVA_LONG, 0) * NANOS_PER_SECOND + time.get(ValueLayout.JAVA_LONG, 8);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
