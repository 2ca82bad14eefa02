package dev.sluice.demultiplexer.iouring;

import dev.sluice.deadline.Deadline;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread as a task of the kernel. The task ends later than the Java thread; only then has it waited for the kernel
 * threads that access files for it, and no request of it accesses a buffer any more.
 */
final class KernelTask {

    /** The directory in which the kernel shows its tasks (proc(5)). The process may be confined without it. */
    static final Path PROCFS = Path.of("/proc");

    /** The default time to wait for the end of a task, which only a file system that does not answer exceeds. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(KernelTask.class);

    private static final String CURRENT = "thread-self";
    private static final long PAUSE_NANOS = 100_000;

    // Indexes of fields in stat, counted after the name of the program, which may contain any characters
    // (proc_pid_stat(5)).
    private static final int STATE = 0;
    private static final int START_TIME = 19;

    /** The file with the state of the task; null if it could not be found. */
    private final @Nullable Path stat;
    private final Duration timeout;
    /** Distinguishes the task from a later one with the same number; null if it could not be read. */
    private final @Nullable String startTime;
    /** The deadline of the wait for the end; null before the first wait. */
    private @Nullable Deadline deadline;

    private KernelTask(@Nullable Path stat, @Nullable String startTime, Duration timeout) {
        this.stat = stat;
        this.startTime = startTime;
        this.timeout = timeout;
    }

    /** {@return whether the kernel shows its tasks here} */
    static boolean isShown(Path procfs) {
        return Files.isReadable(procfs.resolve(CURRENT).resolve("stat"));
    }

    /**
     * Finds the task of the calling thread.
     *
     * @param procfs  the directory in which the kernel shows its tasks
     * @param timeout the maximum time to wait for the end of the task
     * @return the task; its end cannot be observed if the kernel does not show it now
     */
    static KernelTask current(Path procfs, Duration timeout) {
        Path stat = null;
        String startTime = null;
        try {
            // A link to PID/task/TID.
            stat = procfs.resolve(Files.readSymbolicLink(procfs.resolve(CURRENT))).resolve("stat");
            startTime = fields(stat)[START_TIME];
        } catch (IOException e) {
            LOG.warn("cannot read the kernel's task of {}: {}", Thread.currentThread(), e.toString());
        }
        return new KernelTask(stat, startTime, timeout);
    }

    private static String[] fields(Path stat) throws IOException {
        String line;
        // Not by a channel, which reads into direct memory: for that, the virtual machine may make the thread sleep.
        try (InputStream in = new FileInputStream(stat.toFile())) {
            line = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (FileNotFoundException e) {
            if (Files.notExists(stat)) {
                throw new NoSuchFileException(stat.toString());
            }
            throw e;
        }
        return line.substring(line.lastIndexOf(')') + 2).split(" ");
    }

    /**
     * Waits until the task has ended, whose Java thread has terminated.
     *
     * @return whether the task has ended; false if the timeout, counted from the first wait, has expired
     */
    boolean awaitEnd() {
        if (deadline == null) {
            deadline = Deadline.in(timeout);
        }
        while (!hasEnded()) {
            if (deadline.isOver()) {
                return false;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        return true;
    }

    private boolean hasEnded() {
        if (stat == null) {
            return false;
        }
        try {
            String[] fields = fields(stat);
            // The first thread of a process stays a zombie until the last one has ended.
            return fields[STATE].equals("Z") || fields[STATE].equals("X")
                    || startTime != null && !fields[START_TIME].equals(startTime);
        } catch (NoSuchFileException e) {
            // The task has ended, unless tasks are no longer shown.
            return isShown(stat.resolve("../../../..").normalize());
        } catch (IOException e) {
            // ESRCH: the task has ended since the file was opened. The next check will find no file.
            return false;
        }
    }

    @Override
    public String toString() {
        return "task " + (stat == null ? "of it" : stat.getName(stat.getNameCount() - 2));
    }
}
