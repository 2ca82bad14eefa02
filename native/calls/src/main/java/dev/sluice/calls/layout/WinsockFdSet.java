package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/**
 * A set of sockets for Winsock's {@code select}: their number, followed by the sockets. The headers provide space for
 * 64, but the system takes any number.
 */
@CStruct(value = "fd_set", headers = "winsock2.h", on = On.WINDOWS)
public final class WinsockFdSet {

    /** The size with space for the headers' number of sockets. */
    public static final int SIZE = 520;
    @CName("fd_count")
    public static final int COUNT = 0;
    @CName("fd_array")
    public static final int ARRAY = 8;

    private WinsockFdSet() {
    }

    /** {@return the size of a set with space for that many sockets} */
    public static int size(int sockets) {
        return Math.addExact(ARRAY, Math.multiplyExact(sockets, Long.BYTES));
    }

    /** Makes the set empty. */
    public static void clear(ByteBuffer memory, int at) {
        memory.putInt(at + COUNT, 0);
    }

    /** Adds a socket that is not in the set; there must be space for it. */
    public static void add(ByteBuffer memory, int at, long socket) {
        int count = memory.getInt(at + COUNT);
        memory.putLong(at + ARRAY + count * Long.BYTES, socket);
        memory.putInt(at + COUNT, count + 1);
    }

    /** {@return the number of sockets in the set} */
    public static int count(ByteBuffer memory, int at) {
        return memory.getInt(at + COUNT);
    }

    /** {@return a socket of the set, by its index} */
    public static long socket(ByteBuffer memory, int at, int index) {
        return memory.getLong(at + ARRAY + index * Long.BYTES);
    }
}
