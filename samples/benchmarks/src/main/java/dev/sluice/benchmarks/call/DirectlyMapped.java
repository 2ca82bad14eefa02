package dev.sluice.benchmarks.call;

import com.sun.jna.Native;
import com.sun.jna.Platform;

/** The two functions that are called, mapped directly by JNA. */
final class DirectlyMapped {

    static {
        Native.register(DirectlyMapped.class, Platform.C_LIBRARY_NAME);
    }

    private DirectlyMapped() {
    }

    static native int abs(int number);

    static native long lseek(int fd, long offset, int whence);
}
