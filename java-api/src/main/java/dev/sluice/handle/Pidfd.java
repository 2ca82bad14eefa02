package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.Siginfo;
import dev.sluice.calls.layout.WaitConstants;
import dev.sluice.deadline.Deadline;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * A process of Linux that is a handle (pidfd_open(2), from Linux 5.3): ready for reading from the moment the process
 * has ended, for good. Remove the handler then; it would be called again and again.
 *
 * <p>It need not be a child of this process. The number of a process is given to another one after its end, but this
 * handle never changes over to that.
 *
 * <p>All methods may be called from any thread.
 */
public final class Pidfd implements Closeable {

    private static final int WHAT_TO_SEE = WaitConstants.WEXITED | WaitConstants.WNOHANG | WaitConstants.WNOWAIT;

    private final Handle handle;
    private final Linux linux;

    private Pidfd(Handle handle, Linux linux) {
        this.handle = handle;
        this.linux = linux;
    }

    /**
     * Opens a process by its number. Whoever has that number now is meant: unless the caller knows that it still
     * belongs to the right one, as a parent does before it has waited for its child, use {@link #open(ProcessHandle)}.
     *
     * @param pid the number of the process, at least 1
     * @return the process; the caller closes it, which does nothing to the process
     * @throws IllegalArgumentException      if this is no number of a process
     * @throws UnsupportedOperationException if the system is not Linux, or too old
     * @throws SystemCallException           if there is no such process ({@link Errno#ESRCH}), if it is a thread that
     *                                       no process is named after, or if the system has no more descriptors
     */
    public static Pidfd open(long pid) throws IOException {
        if (pid < 1 || pid > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("pid: " + pid);
        }
        Binding binding = Bindings.current();
        Linux linux = OperatingSystem.of(binding).linux("a process that is a handle", "ProcessHandle.onExit");
        String subject = "process " + pid;
        int fd = linux.pidfd_open((int) pid, 0);
        if (Errno.ENOSYS.is(fd)) {
            throw new UnsupportedOperationException("pidfd_open " + subject + ": " + Errno.describe(fd)
                    + "; a process that is a handle needs Linux 5.3; use ProcessHandle.onExit");
        }
        if (fd < 0) {
            throw new SystemCallException("pidfd_open", subject, fd);
        }
        Handle handle = Handle.owning(binding, fd, false, subject);
        try {
            return new Pidfd(handle, linux);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /**
     * Opens a process, and makes sure that no other one has got its number meanwhile.
     *
     * @param process the process, such as {@link Process#toHandle()}
     * @return the process; the caller closes it, which does nothing to the process
     * @throws UnsupportedOperationException if the system is not Linux, or too old
     * @throws SystemCallException           if the process has ended ({@link Errno#ESRCH}), or the system has no more
     *                                       descriptors
     */
    public static Pidfd open(ProcessHandle process) throws IOException {
        Pidfd pidfd = open(process.pid());
        boolean isTheOne = false;
        try {
            // It knows when the process was started. If it is alive after the number has been looked up, it was
            // that process that was found.
            isTheOne = process.isAlive();
        } finally {
            if (!isTheOne) {
                pidfd.close();
            }
        }
        if (!isTheOne) {
            throw new SystemCallException("pidfd_open", "process " + process.pid(), -Errno.ESRCH.number());
        }
        return pidfd;
    }

    /** {@return the handle} */
    public Handle handle() {
        return handle;
    }

    /**
     * {@return whether the process has ended}
     *
     * @throws HandleClosedException if this is closed
     */
    public boolean hasEnded() throws IOException {
        return handle.await(true, Deadline.in(Duration.ZERO));
    }

    /**
     * Looks how a child of this process has ended. This takes nothing away from whoever waits for the child: the system
     * goes on remembering it, and other callers get the same answer.
     *
     * <p>That ends once somebody has waited for it. The children that {@link ProcessBuilder} starts have a thread that
     * does so as soon as it can; {@link Process#exitValue()} knows more about them than this method.
     *
     * @return how it has ended; empty if it has not, if it is not a child of this process, or if somebody has waited
     *         for it already; {@link #hasEnded()} tells these apart
     * @throws HandleClosedException if this is closed
     */
    public Optional<ProcessEnd> end() throws IOException {
        long fd = handle.acquire();
        try (Scratch scratch = Scratch.withRoom(handle.binding(), Siginfo.SIZE)) {
            int result;
            do {
                result = linux.waitid(WaitConstants.P_PIDFD, (int) fd, scratch.address(Scratch.COPY), WHAT_TO_SEE);
            } while (Errno.EINTR.is(result));
            if (Errno.ECHILD.is(result)) {
                return Optional.empty();
            }
            require("waitid", result);
            return end(scratch.memory());
        } finally {
            handle.release();
        }
    }

    private static Optional<ProcessEnd> end(ByteBuffer memory) {
        if (Siginfo.pid(memory, Scratch.COPY) == 0) {
            return Optional.empty();
        }
        int code = Siginfo.code(memory, Scratch.COPY);
        int status = Siginfo.status(memory, Scratch.COPY);
        return Optional.of(code == WaitConstants.CLD_EXITED ? new ProcessEnd(status, 0, false)
                : new ProcessEnd(0, status, code == WaitConstants.CLD_DUMPED));
    }

    /**
     * Sends the process a signal. Unlike {@code kill}, this never meets another process.
     *
     * @param number of the signal, as in {@code kill -l}; 0 sends none, and asks whether one could be sent
     * @return whether the process was there to get it; one that has ended counts until somebody has waited for it
     * @throws SystemCallException   if there is no such signal ({@link Errno#EINVAL}), or this process may not send it
     *                               ({@link Errno#EPERM})
     * @throws HandleClosedException if this is closed
     */
    public boolean signal(int number) throws IOException {
        long fd = handle.acquire();
        try {
            int result = linux.pidfd_send_signal((int) fd, number, 0, 0);
            if (Errno.ESRCH.is(result)) {
                return false;
            }
            require("pidfd_send_signal", result);
            return true;
        } finally {
            handle.release();
        }
    }

    private void require(String call, long result) throws SystemCallException {
        if (result < 0) {
            throw new SystemCallException(call, handle, result);
        }
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
