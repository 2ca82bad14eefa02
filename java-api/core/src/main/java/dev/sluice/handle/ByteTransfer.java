package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Moves bytes between buffers and a descriptor. Keeps the descriptor open and the buffer reachable during the call,
 * copies buffers on the heap and those that another thread could free during the call, repeats an interrupted call, and
 * advances the buffers by the number of bytes moved.
 *
 * <p>Results are those of the system: a count, or a negated error number. The calls are stateless constants, so that
 * the compiler inlines them into the facade's method and nothing is allocated. The compiler inlines a limited number of
 * levels (see the option {@code MaxInlineLevel}), and the JDK itself uses nine of them in a downcall, to create a slice
 * of the segment for the error number. So the path of a direct buffer has as few levels as possible.
 */
final class ByteTransfer {

    /** A call on one range of memory; the argument is a file offset or unused. */
    @FunctionalInterface
    interface Call {
        long invoke(OperatingSystem system, long fd, long address, long length, long argument);
    }

    /** A call on a vector of ranges; the argument is a file offset or unused. */
    @FunctionalInterface
    interface VectorCall {
        long invoke(OperatingSystem system, long fd, Scratch scratch, int elements, long argument);
    }

    private ByteTransfer() {
    }

    static long in(Descriptor descriptor, ByteBuffer destination, Call call, long argument) throws IOException {
        requireWritable(destination);
        long address = address(descriptor, destination);
        return address >= 0
                ? direct(descriptor, destination, address, call, argument)
                : copied(descriptor, destination, true, call, argument);
    }

    static long out(Descriptor descriptor, ByteBuffer source, Call call, long argument) throws IOException {
        long address = address(descriptor, source);
        return address >= 0
                ? direct(descriptor, source, address, call, argument)
                : copied(descriptor, source, false, call, argument);
    }

    static void requireWritable(ByteBuffer destination) {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to receive into is read-only");
        }
    }

    /** {@return the address of a buffer's index 0, or {@link Memory#COPY}} */
    static long address(Descriptor descriptor, ByteBuffer buffer) {
        return buffer.isDirect() ? descriptor.binding().memory().address(buffer) : Memory.COPY;
    }

    private static long direct(Descriptor descriptor, ByteBuffer buffer, long start, Call call, long argument)
            throws IOException {
        int position = buffer.position();
        int length = buffer.remaining();
        long address = start + position;
        OperatingSystem system = descriptor.system();
        long fd = descriptor.acquire();
        try {
            long moved;
            do {
                moved = call.invoke(system, fd, address, length, argument);
            } while (moved < 0 && Errno.EINTR.is(moved));
            if (moved > 0) {
                buffer.position(position + (int) moved);
            }
            return moved;
        } finally {
            descriptor.release();
            Reference.reachabilityFence(buffer);
        }
    }

    private static long copied(Descriptor descriptor, ByteBuffer buffer, boolean in, Call call, long argument)
            throws IOException {
        int position = buffer.position();
        int length = Math.min(buffer.remaining(), Scratch.COPY_SIZE);
        OperatingSystem system = descriptor.system();
        try (Scratch scratch = Scratch.withCapacity(descriptor.binding(), length)) {
            if (!in) {
                scratch.memory().put(Scratch.COPY, buffer, position, length);
            }
            long moved;
            long fd = descriptor.acquire();
            try {
                do {
                    moved = call.invoke(system, fd, scratch.address(Scratch.COPY), length, argument);
                } while (moved < 0 && Errno.EINTR.is(moved));
            } finally {
                descriptor.release();
            }
            if (moved > 0) {
                if (in) {
                    buffer.put(position, scratch.memory(), Scratch.COPY, (int) moved);
                }
                buffer.position(position + (int) moved);
            }
            return moved;
        }
    }

    /** {@return the bytes remaining in all of the buffers, which may be more than an {@code int} holds} */
    static long remaining(ByteBuffer[] buffers, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, buffers.length);
        long sum = 0;
        for (int i = offset; i < offset + count; i++) {
            sum += buffers[i].remaining();
        }
        return sum;
    }

    /** {@return memory for a vector of these buffers and for the bytes to copy, at most those that one call copies} */
    private static Scratch scratch(Descriptor descriptor, ByteBuffer[] buffers, int offset, int count) {
        long copied = 0;
        for (int i = offset; i < offset + count; i++) {
            copied += address(descriptor, buffers[i]) >= 0 ? 0 : buffers[i].remaining();
        }
        return copied == 0 && count <= Scratch.SHORT_VECTOR
                ? Scratch.borrow(descriptor.binding())
                : Scratch.withCapacity(descriptor.binding(), (int) Math.min(copied, Scratch.COPY_SIZE));
    }

    /** Moves several buffers in order; of those that must be copied, at most as much as fits into pooled memory. */
    static long vector(Descriptor descriptor, ByteBuffer[] buffers, int offset, int count, boolean in, VectorCall call,
            long argument) throws IOException {
        for (int i = offset; in && i < offset + count; i++) {
            requireWritable(buffers[i]);
        }
        OperatingSystem system = descriptor.system();
        try (Scratch scratch = scratch(descriptor, buffers, offset, count)) {
            int elements = elements(descriptor, scratch, buffers, offset, count, in);
            long moved;
            long fd = descriptor.acquire();
            try {
                do {
                    moved = call.invoke(system, fd, scratch, elements, argument);
                } while (moved < 0 && Errno.EINTR.is(moved));
            } finally {
                descriptor.release();
            }
            advance(descriptor, scratch, buffers, offset, count, elements, in, moved);
            Reference.reachabilityFence(buffers);
            return moved;
        }
    }

    /**
     * Builds the vector, limited by the number of elements that the system takes and by the space for copied bytes.
     * Bytes beyond that are left to the next call, as after any short transfer.
     */
    private static int elements(Descriptor descriptor, Scratch scratch, ByteBuffer[] buffers, int offset, int count,
            boolean in) {
        int elements = 0;
        int copy = Scratch.COPY;
        int copyEnd = Scratch.COPY + scratch.copySpace();
        for (int i = offset; i < offset + count && elements < FileConstants.IOV_MAX; i++) {
            ByteBuffer buffer = buffers[i];
            int length = buffer.remaining();
            if (length == 0) {
                continue;
            }
            long address = address(descriptor, buffer);
            if (address >= 0) {
                address += buffer.position();
            } else {
                length = Math.min(length, copyEnd - copy);
                if (!in) {
                    scratch.memory().put(copy, buffer, buffer.position(), length);
                }
                address = scratch.address(copy);
                copy += length;
            }
            descriptor.system().element(scratch, elements++, address, length);
            if (length < buffer.remaining()) {
                break;
            }
        }
        return elements;
    }

    /** Advances the buffers by what was moved. */
    private static void advance(Descriptor descriptor, Scratch scratch, ByteBuffer[] buffers, int offset, int count,
            int elements, boolean in, long moved) {
        int copy = Scratch.COPY;
        int last = offset;
        int part = 0;
        int element = 0;
        long left = moved;
        for (int i = offset; i < offset + count && element < elements && left > 0; i++) {
            ByteBuffer buffer = buffers[i];
            if (buffer.hasRemaining()) {
                last = i;
                part = (int) Math.min(buffer.remaining(), left);
                if (in && address(descriptor, buffer) < 0) {
                    buffer.put(buffer.position(), scratch.memory(), copy, part);
                    copy += part;
                }
                left -= part;
                element++;
            }
        }
        if (element > 0) {
            // All buffers before the last one have moved completely. The last one is advanced first, because the same
            // buffer may also be among them.
            buffers[last].position(buffers[last].position() + part);
            for (int i = offset; i < last; i++) {
                buffers[i].position(buffers[i].limit());
            }
        }
    }
}
