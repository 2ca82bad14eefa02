package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.InotifyConstants;
import dev.sluice.calls.layout.InotifyEvent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * Receives events of an {@link Inotify}, as many as there is room for with one call. An event stays where the system
 * has written it, and a name is decoded when it is asked for.
 *
 * <p>An event is asked for by its index, 0 to {@link #count()} - 1, in the order in which things happened; for another
 * index there is an {@link IndexOutOfBoundsException}.
 *
 * <p>Owns native memory, not the queue. What was received stays valid until the next {@link #receive()}. Belongs to one
 * thread at a time; receiving, and asking for anything but a name, allocates nothing.
 */
public final class InotifyBatch implements Closeable {

    /** Minimum size of the buffer, in bytes: one event with the longest name, which the system requires. */
    public static final int MIN_BUFFER_SIZE = InotifyEvent.SIZE + 256;
    /** Maximum size of the buffer, in bytes. */
    public static final int MAX_BUFFER_SIZE = 1 << 24;

    private final Inotify inotify;
    private final MemoryBlock memory;
    /** Made once, since receiving allocates nothing. */
    private final LongUnaryOperator read = this::read;
    private final int[] offsets;
    private int count;

    /**
     * Creates an empty batch.
     *
     * @param inotify    the queue to receive from; stays the caller's
     * @param bufferSize the maximum number of bytes to receive in one call, {@value #MIN_BUFFER_SIZE} to
     *                   {@value #MAX_BUFFER_SIZE}; an event takes 16 and those of its name, with zeros up to a multiple
     *                   of 16
     * @throws IllegalArgumentException if the size is out of range
     */
    public InotifyBatch(Inotify inotify, int bufferSize) {
        if (bufferSize < MIN_BUFFER_SIZE || bufferSize > MAX_BUFFER_SIZE) {
            throw new IllegalArgumentException("buffer size for events: " + bufferSize);
        }
        this.inotify = inotify;
        this.offsets = new int[bufferSize / InotifyEvent.SIZE];
        this.memory = inotify.descriptor.binding().memory().allocate(bufferSize);
    }

    /**
     * Receives the events that have happened, as many as the buffer has space for, without waiting. There may be more
     * unless it returns 0.
     *
     * @return how many, 0 if there are none
     * @throws IllegalStateException if this batch is closed
     * @throws HandleClosedException if the queue is closed
     * @throws SystemCallException   if the system refuses
     */
    public int receive() throws IOException {
        if (memory.isClosed()) {
            throw new IllegalStateException("the batch is closed");
        }
        count = 0;
        long result = inotify.call(read);
        if (!Errno.EAGAIN.is(result)) {
            inotify.check("read", result);
        }
        for (int at = 0; at < result; at += InotifyEvent.SIZE + InotifyEvent.length(memory.buffer(), at)) {
            offsets[count++] = at;
        }
        return count;
    }

    private long read(long fd) {
        return inotify.system.read(fd, memory.address(), memory.buffer().capacity());
    }

    /** {@return the number of events that the last call received} */
    public int count() {
        return count;
    }

    private int at(int index) {
        return offsets[Objects.checkIndex(index, count)];
    }

    /**
     * {@return the number of the watch that has reported an event, which may have ended since; -1 for an
     * {@link #isOverflow overflow}}
     */
    public int watch(int index) {
        return InotifyEvent.watch(memory.buffer(), at(index));
    }

    /** {@return what has happened: one of the events of {@link InotifyConstants}, and what the kernel adds to it} */
    public int mask(int index) {
        return InotifyEvent.mask(memory.buffer(), at(index));
    }

    /**
     * What connects the two halves of a renaming: {@link InotifyConstants#IN_MOVED_FROM}, and
     * {@link InotifyConstants#IN_MOVED_TO}, which comes only if the new directory is watched, and need not be the next
     * event.
     *
     * @return the same of both, 0 of other events
     */
    public int cookie(int index) {
        return InotifyEvent.cookie(memory.buffer(), at(index));
    }

    /**
     * {@return whether events of any watches have been lost, because they were not received and the queue was full (the
     * sysctl {@code fs.inotify.max_queued_events})}
     */
    public boolean isOverflow(int index) {
        return (mask(index) & InotifyConstants.IN_Q_OVERFLOW) != 0;
    }

    /**
     * The name, in the watched directory, of what an event is about.
     *
     * @return the name; empty if the event is about what is watched itself. To the system a name is bytes. Here they
     *         are taken for UTF-8, and what is none becomes U+FFFD; {@link #nameBytes} has them as they are
     */
    public String name(int index) {
        return new String(nameBytes(index), StandardCharsets.UTF_8);
    }

    /** {@return the bytes of {@link #name}, in a new array} */
    public byte[] nameBytes(int index) {
        int begin = at(index) + InotifyEvent.NAME;
        byte[] name = new byte[nameLength(index)];
        memory.buffer().get(begin, name);
        return name;
    }

    /** {@return whether the event is about the name of these bytes, which it need not decode for that} */
    public boolean isNamed(int index, byte[] name) {
        int begin = at(index) + InotifyEvent.NAME;
        if (nameLength(index) != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (memory.buffer().get(begin + i) != name[i]) {
                return false;
            }
        }
        return true;
    }

    /** The system adds zeros, of which no name has one. */
    private int nameLength(int index) {
        ByteBuffer buffer = memory.buffer();
        int begin = at(index) + InotifyEvent.NAME;
        int length = 0;
        for (int room = InotifyEvent.length(buffer, at(index)); length < room && buffer.get(begin + length) != 0;) {
            length++;
        }
        return length;
    }

    /** Frees the memory. The queue stays open. */
    @Override
    public void close() {
        count = 0;
        memory.close();
    }
}
