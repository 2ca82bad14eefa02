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
        try (Scratch scratch = Scratch.withRoom(descriptor.binding(), length)) {
            if (!in) {
                scratch.memory().put(Scratch.COPY, buffer, position, length);
            }
            long moved;
            long fd = descriptor.acquire();
            try {
                do {
                    moved = call.invoke(system, fd, scratch.address(Scratch.COPY), length, argument);
                } while (Errno.EINTR.is(moved));
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

    /** Sends several buffers one after the other. */
    static long gather(Descriptor descriptor, ByteBuffer[] buffers, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, buffers.length);
        long remaining = 0;
        long copied = 0;
        for (int i = offset; i < offset + count; i++) {
            remaining += buffers[i].remaining();
            copied += address(descriptor, buffers[i]) >= 0 ? 0 : buffers[i].remaining();
        }
        if (remaining == 0) {
            return 0;
        }
        OperatingSystem system = descriptor.system();
        try (Scratch scratch = copied == 0 && count <= Scratch.SHORT_VECTOR
                ? Scratch.borrow(descriptor.binding())
                : Scratch.withRoom(descriptor.binding(), (int) Math.min(copied, Scratch.COPY_SIZE))) {
            int elements = vector(descriptor, scratch, buffers, offset, count);
            long moved;
            long fd = descriptor.acquire();
            try {
                do {
                    moved = system.send(fd, scratch, elements);
                } while (Errno.EINTR.is(moved));
            } finally {
                descriptor.release();
            }
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
    }

    /**
     * Builds the vector, limited by how many elements the system takes and how much room there is for copied bytes:
     * what does not fit is left to the next call, as after any short transfer.
     */
    private static int vector(Descriptor descriptor, Scratch scratch, ByteBuffer[] buffers, int offset, int count) {
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
                scratch.memory().put(copy, buffer, buffer.position(), length);
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
}
