package dev.sluice.campaign.power;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.OpenHow;
import dev.sluice.campaign.ObservedRings;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.LongConsumer;

/**
 * Records the changes of the files below a directory, from {@link #install} to {@link #close()}, and returns what a
 * disk may have after its power has failed at any time: all changes that a completed force covers, and of the others
 * each one whole or not at all, or a part of the sectors of a write.
 *
 * <p>Writes, lengths and forces are recorded where they reach the kernel: in the calls of the binding, and in the
 * entries of the rings of io_uring. They are those of handles that have been opened since. A call of the binding, or a
 * request to a ring, that changes a file in another way fails the program with an {@link AssertionError}; what does not
 * pass through the binding, such as a {@code FileChannel}, changes nothing here.
 *
 * <p>Names are found by looking, however they were changed, and are durable when their directory has been forced. There
 * is a look when a file may have been created, at each force, and at each acknowledgement: of a name that changes
 * twice in between only the outcome is seen, and of several names not their order. For Linux. All
 * methods may be called by any thread.
 */
public final class RecordedDisk implements AutoCloseable {

    private final Binding previous;

    // Guarded by this

    private final Recorder recorder;
    private final ObservedRings<RecordedRing> rings;
    private Throwable failure;

    private RecordedDisk(Binding real, Path directory, Lie lie) throws IOException {
        previous = real;
        recorder = new Recorder(real.memory(), new NameScan(directory), lie);
        rings = new ObservedRings<>(real.memory(), parameters -> new RecordedRing(recorder, parameters));
    }

    /**
     * Begins to record. What is below the directory is on the disk.
     *
     * @param directory an existing directory
     * @return the recording; the caller closes it
     */
    public static RecordedDisk install(Path directory) throws IOException {
        return install(directory, Lie.NONE);
    }

    /**
     * Begins to record a disk that does not execute all forces, which no program survives.
     *
     * @param directory an existing directory
     * @param lie       the forces that are not executed
     * @return the recording; the caller closes it
     */
    public static RecordedDisk install(Path directory, Lie lie) throws IOException {
        Binding real = Bindings.current();
        RecordedDisk disk = new RecordedDisk(real, directory, lie);
        Bindings.use(real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> disk.call(calls, method, arguments)));
            }
        }));
        return disk;
    }

    private Object call(Object real, Method method, Object[] arguments) throws Throwable {
        String function = method.getName();
        LongConsumer completion = begin(function, arguments);
        Object result;
        try {
            result = method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        end(function, arguments, result, completion);
        return result;
    }

    private synchronized LongConsumer begin(String function, Object[] arguments) {
        try {
            rings.forEach(RecordedRing::takeCompleted);
            rings.before(function, arguments);
            return record(function, arguments);
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    private synchronized void end(String function, Object[] arguments, Object result, LongConsumer completion) {
        try {
            rings.after(function, arguments, result);
            if (completion != Recorder.IGNORED) {
                completion.accept(((Number) result).longValue());
            }
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    private LongConsumer record(String function, Object[] arguments) {
        return switch (function) {
            case "open" -> recorder.open((Integer) arguments[1]);
            case "openat" -> recorder.open((Integer) arguments[2]);
            case "openat2" -> recorder.open((int) recorder.number((Long) arguments[2] + OpenHow.FLAGS));
            case "pwrite" -> recorder.write((Integer) arguments[0], (Long) arguments[3],
                    recorder.bytes((Long) arguments[1], (Long) arguments[2]));
            case "pwritev", "pwritev2" -> recorder.write((Integer) arguments[0], (Long) arguments[3],
                    recorder.gather((Long) arguments[1], (Integer) arguments[2]));
            case "ftruncate" -> recorder.resize((Integer) arguments[0], (Long) arguments[1], false);
            case "fallocate" -> recorder.allocate((Integer) arguments[0], (Integer) arguments[1], (Long) arguments[2],
                    (Long) arguments[3]);
            case "fsync", "fdatasync" -> recorder.force((Integer) arguments[0]);
            case "write", "writev", "sendfile" -> recorder.refuse(function, (Integer) arguments[0]);
            case "copy_file_range" -> recorder.refuse(function, (Integer) arguments[2]);
            case "mmap" -> map(arguments);
            default -> Recorder.IGNORED;
        };
    }

    private LongConsumer map(Object[] arguments) {
        boolean isWritten = ((Integer) arguments[2] & FileConstants.PROT_WRITE) != 0
                && ((Integer) arguments[3] & FileConstants.MAP_SHARED) != 0;
        return isWritten && (Integer) arguments[4] >= 0 ? recorder.refuse("mmap", (Integer) arguments[4])
                : Recorder.IGNORED;
    }

    /** Notes that the program has been assured of this number and all before. */
    public synchronized void acknowledge(long number) {
        rings.forEach(RecordedRing::takeCompleted);
        recorder.scanNames();
        recorder.history().acknowledge(number);
    }

    /**
     * {@return the number of points in time at which the power may fail, counted from 0}
     *
     * @throws AssertionError if something could not be recorded
     */
    public synchronized int points() {
        if (failure != null) {
            throw new AssertionError("what the program does is not recorded as a whole", failure);
        }
        return recorder.history().size() + 1;
    }

    /** {@return the largest number that was acknowledged before a point in time, or -1} */
    public synchronized long acknowledged(int point) {
        return recorder.history().acknowledged(point);
    }

    /**
     * Lets the power fail.
     *
     * @param point   when
     * @param tearing what may be there of a write
     * @param random  decides about all changes that no force covers
     * @return what the disk has
     */
    public synchronized FailedDisk disk(int point, Tearing tearing, Random random) {
        return recorder.history().disk(point, tearing, random);
    }

    /** Ends the recording, which may be replayed from then on. */
    @Override
    public void close() {
        Bindings.use(previous);
    }
}
