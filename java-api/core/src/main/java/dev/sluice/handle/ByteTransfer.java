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
 * Moves bytes between buffers and a descriptor: holds the descriptor open and the buffer reachable during the call,
 * copies what lies on the heap, and what another thread could free during the call, repeats an interrupted call, and
 * advances the buffers by what was moved.
 *
 * <p>Results are those of the system: a count, or a negated error number. The calls are stateless constants, so that
 * the compiler inlines them into the facade's method and nothing is allocated. That goes only so deep (see the option
 * {@code MaxInlineLevel}), and nine levels below a downcall are the JDK's own, where it makes a slice of the segment
 * for the error number: so the way of a direct buffer has as few as can be.
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
        long invoke(OperatingSystem system, long fd, Scratch scratch, int count, long argument);
    }

    private ByteTransfer() {
    }

    static long in(Descriptor descriptor, ByteBuffer destination, Call call, long argument) throws IOException {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to receive into is read-only");
        }
        long address = address(descriptor, destination);
        return address >= 0
                ? direct(descriptor, destination, address, call, argument)
                : copyIn(descriptor, destination, call, argument);
    }

    static long out(Descriptor descriptor, ByteBuffer source, Call call, long argument) throws IOException {
        long address = address(descriptor, source);
        return address >= 0
                ? direct(descriptor, source, address, call, argument)
                : copyOut(descriptor, source, call, argument);
    }

    /** {@return the address of a buffer's index 0, or {@link Memory#COPY}} */
    private static long address(Descriptor descriptor, ByteBuffer buffer) {
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
            // Not by uninterrupted(): with every level above the call, the compiler inlines one less below it.
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

    private static long copyIn(Descriptor descriptor, ByteBuffer destination, Call call, long argument)
            throws IOException {
        int length = Math.min(destination.remaining(), Scratch.COPY_SIZE);
        try (Scratch scratch = Scratch.withRoom(descriptor.binding(), length)) {
            long moved = uninterrupted(descriptor, scratch.address(Scratch.COPY), length, call, argument);
            if (moved > 0) {
                int position = destination.position();
                destination.put(position, scratch.memory(), Scratch.COPY, (int) moved);
                destination.position(position + (int) moved);
            }
            return moved;
        }
    }

    private static long copyOut(Descriptor descriptor, ByteBuffer source, Call call, long argument) throws IOException {
        int position = source.position();
        int length = Math.min(source.remaining(), Scratch.COPY_SIZE);
        try (Scratch scratch = Scratch.withRoom(descriptor.binding(), length)) {
            scratch.memory().put(Scratch.COPY, source, position, length);
            long moved = uninterrupted(descriptor, scratch.address(Scratch.COPY), length, call, argument);
            if (moved > 0) {
                source.position(position + (int) moved);
            }
            return moved;
        }
    }

    private static long uninterrupted(Descriptor descriptor, long address, int length, Call call, long argument)
            throws IOException {
        OperatingSystem system = descriptor.system();
        long fd = descriptor.acquire();
        try {
            long result;
            do {
                result = call.invoke(system, fd, address, length, argument);
            } while (result < 0 && Errno.EINTR.is(result));
            return result;
        } finally {
            descriptor.release();
        }
    }

    /** {@return room for a vector of these buffers, and for as many copied bytes as one call transfers} */
    static Scratch scratch(Descriptor descriptor, ByteBuffer[] buffers, int offset, int count) {
        long copied = copiedBytes(descriptor, buffers, offset, count);
        return scratch(descriptor, count, (int) Math.min(copied, Scratch.COPY_SIZE));
    }

    /** {@return room for a vector of that many buffers, and for that many copied bytes} */
    static Scratch scratch(Descriptor descriptor, int count, int copiedBytes) {
        return copiedBytes == 0 && count <= Scratch.SHORT_VECTOR
                ? Scratch.borrow(descriptor.binding())
                : Scratch.withRoom(descriptor.binding(), copiedBytes);
    }

    /** {@return the bytes remaining in those of the buffers that have to be copied} */
    static long copiedBytes(Descriptor descriptor, ByteBuffer[] buffers, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, buffers.length);
        long sum = 0;
        for (int i = offset; i < offset + count; i++) {
            sum += address(descriptor, buffers[i]) >= 0 ? 0 : buffers[i].remaining();
        }
        return sum;
    }

    static long scatter(Descriptor descriptor, ByteBuffer[] buffers, int offset, int count, VectorCall call,
            long argument) throws IOException {
        try (Scratch scratch = scratch(descriptor, buffers, offset, count)) {
            return scatter(descriptor, scratch, buffers, offset, count, call, argument);
        }
    }

    static long scatter(Descriptor descriptor, Scratch scratch, ByteBuffer[] buffers, int offset, int count,
            VectorCall call, long argument) throws IOException {
        for (int i = offset; i < offset + count; i++) {
            if (buffers[i].isReadOnly()) {
                throw new IllegalArgumentException("the buffer to receive into is read-only");
            }
        }
        int elements = vector(descriptor, scratch, buffers, offset, count, false);
        long moved = uninterrupted(descriptor, scratch, elements, call, argument);
        long left = moved;
        // For a truncated datagram the system reports the full length, which is more than the vector holds.
        int copyEnd = Scratch.COPY + scratch.room();
        int copy = Scratch.COPY;
        for (int i = offset; left > 0 && i < offset + count; i++) {
            ByteBuffer buffer = buffers[i];
            int part = (int) Math.min(buffer.remaining(), left);
            if (part == 0) {
                continue;
            }
            if (elements-- == 0) {
                break;
            }
            if (address(descriptor, buffer) < 0) {
                part = Math.min(part, copyEnd - copy);
                buffer.put(buffer.position(), scratch.memory(), copy, part);
                copy += part;
            }
            buffer.position(buffer.position() + part);
            left -= part;
        }
        Reference.reachabilityFence(buffers);
        return moved;
    }

    static long gather(Descriptor descriptor, ByteBuffer[] buffers, int offset, int count, VectorCall call,
            long argument) throws IOException {
        try (Scratch scratch = scratch(descriptor, buffers, offset, count)) {
            return gather(descriptor, scratch, buffers, offset, count, call, argument);
        }
    }

    static long gather(Descriptor descriptor, Scratch scratch, ByteBuffer[] buffers, int offset, int count,
            VectorCall call, long argument) throws IOException {
        int elements = vector(descriptor, scratch, buffers, offset, count, true);
        long moved = uninterrupted(descriptor, scratch, elements, call, argument);
        // A buffer that is in the vector twice is sent twice; the second time round, nothing remains in it here.
        long left = moved;
        for (int i = offset; left > 0 && i < offset + count; i++) {
            int part = (int) Math.min(buffers[i].remaining(), left);
            buffers[i].position(buffers[i].position() + part);
            left -= part;
        }
        Reference.reachabilityFence(buffers);
        return moved;
    }

    /**
     * Builds the vector, limited by how many elements the system takes and how much room there is for copied bytes:
     * what does not fit is left to the next call, as after any short transfer.
     */
    private static int vector(Descriptor descriptor, Scratch scratch, ByteBuffer[] buffers, int offset, int count,
                              boolean copyOut) {
        int elements = 0;
        int copy = Scratch.COPY;
        int copyEnd = Scratch.COPY + scratch.room();
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
                if (copyOut) {
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

    private static long uninterrupted(Descriptor descriptor, Scratch scratch, int elements, VectorCall call,
            long argument) throws IOException {
        OperatingSystem system = descriptor.system();
        long fd = descriptor.acquire();
        try {
            long result;
            do {
                result = call.invoke(system, fd, scratch, elements, argument);
            } while (result < 0 && Errno.EINTR.is(result));
            return result;
        } finally {
            descriptor.release();
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
}
