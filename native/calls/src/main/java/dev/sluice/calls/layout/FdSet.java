package dev.sluice.calls.layout;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A set of descriptors for {@code select}: one bit each, in 64-bit words; the 32-bit words of macOS and
 * OpenBSD are the same bytes on little-endian CPUs.
 */
@CStruct(value = "fd_set", headers = "sys/select.h")
public final class FdSet {

    public static final int SIZE = 128;

    /** One more than the highest descriptor that fits. */
    @CName("=FD_SETSIZE")
    public static final int FD_SETSIZE = SIZE * Byte.SIZE;

    private FdSet() {
    }

    /** Adds a descriptor, 0 to {@link #FD_SETSIZE} - 1. */
    public static void set(ByteBuffer memory, int at, int fd) {
        int word = word(at, fd);
        memory.putLong(word, memory.getLong(word) | 1L << fd);
    }

    /** Removes a descriptor, 0 to {@link #FD_SETSIZE} - 1. */
    public static void clear(ByteBuffer memory, int at, int fd) {
        int word = word(at, fd);
        memory.putLong(word, memory.getLong(word) & ~(1L << fd));
    }

    /** {@return whether the set holds the descriptor, 0 to {@link #FD_SETSIZE} - 1} */
    public static boolean isSet(ByteBuffer memory, int at, int fd) {
        return (memory.getLong(word(at, fd)) & 1L << fd) != 0;
    }

    // The system itself does not check this: a bit past the end would be written into whatever follows the set.
    private static int word(int at, int fd) {
        return at + (Objects.checkIndex(fd, FD_SETSIZE) >> 6 << 3);
    }
}
