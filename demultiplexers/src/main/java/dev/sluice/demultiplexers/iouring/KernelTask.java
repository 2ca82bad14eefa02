package dev.sluice.demultiplexers.iouring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread as the kernel sees it. It ends a little later than in Java's eyes; only then has it waited for the kernel
 * threads that work for it on files, and nothing that it has submitted touches a buffer any more.
 */
final class KernelTask {

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Path directory;

    private KernelTask(Path directory) {
        this.directory = directory;
    }

    /** {@return the calling thread} */
    static KernelTask current() throws IOException {
        // A link to PID/task/TID (proc(5)).
        return new KernelTask(Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self"))));
    }

    /** Waits until it has ended, which it is about to. */
    void awaitEnd() {
        while (Files.exists(directory)) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }
}
