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
 * Receives events of an {@link Inotify}, as many per call as fit into its buffer. An event stays where the system has
 * written it, and a name is decoded when it is accessed.
 *
 * <p>Events are accessed by index, 0 to {@link #count()} - 1, in the order in which they occurred; any other index
 * causes an {@link IndexOutOfBoundsException}.
 *
 * <p>Owns native memory, not the queue. Received events stay valid until the next {@link #receive()}. Confined to one
 * thread at a time; except for {@link #name} and {@link #nameBytes}, no method allocates.
 */
public final class InotifyBatch implements Closeable {

    /** Minimum size of the buffer in bytes: that of one event with the longest name, which the system requires. */
    public static final int MIN_BUFFER_SIZE = InotifyEvent.SIZE + 256;
    /** Maximum size of the buffer, in bytes. */
    public static final int MAX_BUFFER_SIZE = 1 << 24;

    private final Inotify inotify;
    private final MemoryBlock memory;
    /** The call that reads events; kept, so that receiving allocates nothing. */
    private final LongUnaryOperator read = this::read;
    private final int[] offsets;
    private int count;

    /**
     * Creates an empty batch.
     *
     * @param inotify    the queue to receive from; still owned by the caller
     * @param bufferSize the maximum number of bytes to receive in one call, {@value #MIN_BUFFER_SIZE} to
     *                   {@value #MAX_BUFFER_SIZE}; an event takes 16 bytes, and those of its name padded to a multiple
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
     * Receives the pending events, as many as the buffer has space for, without waiting. More may be pending unless
     * this returns 0.
     *
     * @return the number of events received, 0 if none are pending
     * @throws IllegalStateException if this batch is closed
     * @throws HandleClosedException if the queue is closed
     * @throws SystemCallException   if the call fails
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

    /**
     * {@return the mask of an event: one of the events of {@link InotifyConstants}, and the bits that the kernel adds
     * to it}
     */
    public int mask(int index) {
        return InotifyEvent.mask(memory.buffer(), at(index));
    }

    /**
     * Returns the number that connects the two events of a renaming: {@link InotifyConstants#IN_MOVED_FROM} and
     * {@link InotifyConstants#IN_MOVED_TO}. The second one occurs only if the new directory is watched, and need not be
     * the next event.
     *
     * @return the number, the same for both; 0 for other events
     */
    public int cookie(int index) {
        return InotifyEvent.cookie(memory.buffer(), at(index));
    }

    /**
     * {@return whether events of any watches have been lost, because the queue was full (the sysctl
     * {@code fs.inotify.max_queued_events})}
     */
    public boolean isOverflow(int index) {
        return (mask(index) & InotifyConstants.IN_Q_OVERFLOW) != 0;
    }

    /**
     * Returns the name of the file that an event is about, in the watched directory.
     *
     * @return the name; empty if the event is about the watched file or directory itself. To the system a name is a
     *         sequence of bytes. They are decoded as UTF-8, with U+FFFD for malformed input; {@link #nameBytes} returns
     *         the bytes themselves
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

    /** {@return whether the name of the event has these bytes, without decoding it} */
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

    /** Returns the length without the zeros that the system pads names with; a name contains none. */
    private int nameLength(int index) {
        ByteBuffer buffer = memory.buffer();
        int begin = at(index) + InotifyEvent.NAME;
        int length = 0;
        for (int padded = InotifyEvent.length(buffer, at(index)); length < padded && buffer.get(begin + length) != 0;) {
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
