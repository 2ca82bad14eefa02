package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Signals for one thread. */
final class ThreadSignal {

    // The JVM handles it without any effect, so that no handler has to be installed for the whole process.
    private static final int SIGPIPE = 13;

    static {
        Native.register(ThreadSignal.class, Platform.C_LIBRARY_NAME);
    }

    private ThreadSignal() {
    }

    private static native int getpid();

    private static native int tgkill(int process, int thread, int signal);

    /** Sends a signal, and returns once it has interrupted the thread's system call. */
    static void interruptSystemCall(int thread) throws IOException {
        assertEquals(0, tgkill(getpid(), thread, SIGPIPE));
        Path status = Path.of("/proc/self/task", String.valueOf(thread), "status");
        List<String> pending;
        do {
            Thread.yield();
            pending = Files.readAllLines(status);
        } while (!pending.contains("SigPnd:\t0000000000000000"));
    }
}
