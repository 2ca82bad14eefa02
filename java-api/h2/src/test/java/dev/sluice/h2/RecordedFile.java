package dev.sluice.h2;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Records the writes, truncations and forces of one file where they reach the system, from {@link #install()} to
 * {@link #close()}, and returns what a disk may have after its power has failed: all that a completed force covers, and
 * of later writes each one whole, its first sectors, or nothing.
 */
final class RecordedFile implements AutoCloseable {

    private static final int SECTOR = 512;
    private static final int NONE = -1;
    private static final int CLOSED = -2;
    /** Calls that also change files, and that this recorder does not know. */
    private static final Set<String> UNKNOWN = Set.of("write", "writev", "pwritev", "fallocate", "copy_file_range");

    /** A call that has completed, or an acknowledgement. */
    private sealed interface Entry permits Written, Truncated, Forced, Acknowledged {
    }

    private record Written(long position, byte[] bytes) implements Entry {
    }

    private record Truncated(long size) implements Entry {
    }

    /** A force that covers all entries before an index: those that had completed when it started. */
    private record Forced(int covered) implements Entry {
    }

    private record Acknowledged(int number) implements Entry {
    }

    private final Binding previous;
    /** Guarded by itself. */
    private final List<Entry> entries = new ArrayList<>();
    private int descriptor = NONE;

    private RecordedFile(Binding previous) {
        this.previous = previous;
    }

    static RecordedFile install() {
        Binding real = Bindings.current();
        RecordedFile recorded = new RecordedFile(real);
        Bindings.use(real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> recorded.call(real.memory(), calls, method, arguments)));
            }
        }));
        return recorded;
    }

    private Object call(Memory memory, Object real, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (UNKNOWN.contains(name)) {
            throw new AssertionError(name + " is not recorded");
        }
        int started = size();
        Object result;
        try {
            result = method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        switch (name) {
            case "pwrite" -> add((Integer) arguments[0], new Written((Long) arguments[3],
                    copy(memory, (Long) arguments[1], Math.toIntExact((Long) result))));
            case "ftruncate" -> {
                succeeded(result);
                add((Integer) arguments[0], new Truncated((Long) arguments[1]));
            }
            case "close" -> closed((Integer) arguments[0]);
            case "fsync", "fdatasync" -> {
                succeeded(result);
                add((Integer) arguments[0], new Forced(started));
            }
            default -> {
                // It changes no file.
            }
        }
        return result;
    }

    /** The number of a closed descriptor may come to denote another file. */
    private void closed(int fd) {
        synchronized (entries) {
            descriptor = fd == descriptor ? CLOSED : descriptor;
        }
    }

    private static void succeeded(Object result) {
        if ((Integer) result < 0) {
            throw new AssertionError("a call has failed: " + result);
        }
    }

    private static byte[] copy(Memory memory, long address, int length) {
        byte[] bytes = new byte[length];
        try (MemoryBlock block = memory.wrap(address, length, () -> { })) {
            block.buffer().get(0, bytes);
        }
        return bytes;
    }

    private void add(int fd, Entry entry) {
        synchronized (entries) {
            if (descriptor == NONE) {
                descriptor = fd;
            }
            if (fd != descriptor) {
                throw new AssertionError("another file is written");
            }
            entries.add(entry);
        }
    }

    /** Adds that a program has been assured of this number and all before. */
    void acknowledge(int number) {
        synchronized (entries) {
            entries.add(new Acknowledged(number));
        }
    }

    int size() {
        synchronized (entries) {
            return entries.size();
        }
    }

    /** {@return the last number that was acknowledged before an entry, or -1} */
    int acknowledged(int end) {
        synchronized (entries) {
            for (int i = end - 1; i >= 0; i--) {
                if (entries.get(i) instanceof Acknowledged acknowledged) {
                    return acknowledged.number();
                }
            }
            return NONE;
        }
    }

    /** {@return the file after a power failure directly before an entry} */
    byte[] afterPowerFailure(int end, Random random) {
        synchronized (entries) {
            int durable = 0;
            for (Entry entry : entries.subList(0, end)) {
                durable = entry instanceof Forced forced ? Math.max(durable, forced.covered()) : durable;
            }
            byte[] file = {};
            for (int i = 0; i < end; i++) {
                // Present, absent or torn.
                int fate = i < durable ? 0 : random.nextInt(3);
                if (entries.get(i) instanceof Written written && fate != 1) {
                    file = written(file, written, fate == 0 ? null : random);
                } else if (entries.get(i) instanceof Truncated truncated && fate == 0) {
                    file = Arrays.copyOf(file, Math.toIntExact(truncated.size()));
                }
            }
            return file;
        }
    }

    /** A torn write ends at a sector. */
    private static byte[] written(byte[] file, Written written, Random torn) {
        int position = Math.toIntExact(written.position());
        int length = written.bytes().length;
        if (torn != null) {
            length = Math.max(0, (position + torn.nextInt(length + 1)) / SECTOR * SECTOR - position);
        }
        int end = position + length;
        byte[] changed = end > file.length ? Arrays.copyOf(file, end) : file;
        System.arraycopy(written.bytes(), 0, changed, position, length);
        return changed;
    }

    @Override
    public void close() {
        Bindings.use(previous);
    }
}
