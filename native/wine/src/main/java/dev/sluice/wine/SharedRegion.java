package dev.sluice.wine;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.sluice.calls.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that this process and the host see at the same address, so that a pointer means the same to both. It has no
 * name in any directory and uses only the pages that have been touched; it stays mapped until the process ends.
 */
final class SharedRegion {

    /** Far from where Linux and the JVM place anything, and low enough for Windows. */
    static final long BASE = 0x2000_0000_0000L;
    static final int SIZE = 1 << 30;

    private final int fd;
    private final ByteBuffer bytes;

    private SharedRegion(int fd) {
        this.fd = fd;
        this.bytes = new Pointer(BASE).getByteBuffer(0, SIZE).order(ByteOrder.nativeOrder());
    }

    static SharedRegion map() throws IOException {
        int fd = LinuxCalls.memfd_create("sluice-wine", LinuxCalls.MFD_CLOEXEC);
        checked("memfd_create", fd);
        checked("ftruncate", LinuxCalls.ftruncate(fd, SIZE));
        checked("mmap", LinuxCalls.mmap(BASE, SIZE, LinuxCalls.PROT_READ | LinuxCalls.PROT_WRITE,
                LinuxCalls.MAP_SHARED | LinuxCalls.MAP_FIXED_NOREPLACE, fd, 0));
        return new SharedRegion(fd);
    }

    private static void checked(String call, long result) throws IOException {
        if (result == -1) {
            throw new IOException(call + ": " + Errno.describe(-Native.getLastError()));
        }
    }

    /** {@return the path by which another process of this user can open it, as long as this process lives} */
    String path() {
        return "/proc/" + ProcessHandle.current().pid() + "/fd/" + fd;
    }

    /** {@return all of it; index 0 is {@link #BASE}} */
    ByteBuffer bytes() {
        return bytes;
    }

    /** {@return the index of an address in {@link #bytes()}} */
    static int index(long address) {
        return Math.toIntExact(address - BASE);
    }

    static boolean contains(long address, long length) {
        return address >= BASE && length >= 0 && length <= SIZE && address - BASE <= SIZE - length;
    }
}
