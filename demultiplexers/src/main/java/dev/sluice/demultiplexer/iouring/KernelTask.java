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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread as the kernel sees it. It ends a little later than in Java's view; only then has it waited for the kernel
 * threads that work on files for it, and nothing that it has submitted touches a buffer any more.
 */
final class KernelTask {

    /** Where the kernel shows its tasks, unless the process is confined without it (proc(5)). */
    static final Path PROCFS = Path.of("/proc");

    /** Far longer than a thread needs to end, unless it is waiting for a file system that does not answer. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(KernelTask.class);

    private static final String CURRENT = "thread-self";
    private static final long PAUSE_NANOS = 100_000;

    // Indexes of fields in stat, counted after the program's name, which may contain anything (proc_pid_stat(5)).
    private static final int STATE = 0;
    private static final int START_TIME = 19;

    /** Null if it could not be found. */
    private final Path stat;
    private final Duration patience;
    /** Distinguishes it from a later task with the same number; null if it could not be read. */
    private final String startTime;
    /** The deadline of the wait for its end; null before the first wait. */
    private Deadline deadline;

    private KernelTask(Path stat, String startTime, Duration patience) {
        this.stat = stat;
        this.startTime = startTime;
        this.patience = patience;
    }

    /** {@return whether the kernel shows its tasks here} */
    static boolean isShown(Path procfs) {
        return Files.isReadable(procfs.resolve(CURRENT).resolve("stat"));
    }

    /**
     * Finds the calling thread.
     *
     * @param procfs   where the kernel shows its tasks
     * @param patience the longest to wait for its end
     * @return the task; if the kernel does not show it now, its end cannot be observed
     */
    static KernelTask current(Path procfs, Duration patience) {
        Path stat = null;
        String startTime = null;
        try {
            // A link to PID/task/TID.
            stat = procfs.resolve(Files.readSymbolicLink(procfs.resolve(CURRENT))).resolve("stat");
            startTime = fields(stat)[START_TIME];
        } catch (IOException e) {
            LOG.warn("cannot look at the kernel's task of {}: {}", Thread.currentThread(), e.toString());
        }
        return new KernelTask(stat, startTime, patience);
    }

    private static String[] fields(Path stat) throws IOException {
        String line;
        // Not by a channel, which reads into direct memory: the virtual machine may make this loop thread sleep for it.
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
     * Waits until the task, which is about to end, has ended.
     *
     * @return whether it has; false if the patience, counted from the first wait, is exhausted
     */
    boolean awaitEnd() {
        if (deadline == null) {
            deadline = Deadline.in(patience);
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
            // It has ended, unless nothing is shown any more.
            return isShown(stat.getParent().resolve("../../..").normalize());
        } catch (IOException e) {
            // ESRCH: the task has ended since the file was opened. The next look will find no file.
            return false;
        }
    }

    @Override
    public String toString() {
        return "task " + (stat == null ? "of it" : stat.getParent().getFileName());
    }
}
