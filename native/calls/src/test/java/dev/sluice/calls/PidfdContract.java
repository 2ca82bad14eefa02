package dev.sluice.calls;

import static dev.sluice.calls.layout.WaitConstants.CLD_STOPPED;
import static dev.sluice.calls.layout.WaitConstants.P_PIDFD;
import static dev.sluice.calls.layout.WaitConstants.WEXITED;
import static dev.sluice.calls.layout.WaitConstants.WNOHANG;
import static dev.sluice.calls.layout.WaitConstants.WNOWAIT;
import static dev.sluice.calls.layout.WaitConstants.WSTOPPED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.calls.layout.Siginfo;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes with a descriptor. */
public abstract class PidfdContract extends BindingContract {

    private static final int SIGKILL = 9;
    private static final int SIGSTOP = 19;

    private final Linux linux;
    private Process process;

    protected PidfdContract(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    @BeforeEach
    void begin() throws IOException {
        process = new ProcessBuilder("sh", "-c", "kill -STOP $$; read x").start();
    }

    /** Also closes the pipes, before descriptors are counted. */
    @AfterEach
    void end() throws Exception {
        process.destroyForcibly().waitFor();
        process.getOutputStream().close();
        process.getInputStream().close();
        process.getErrorStream().close();
    }

    @Test
    void becomesReadableWhenTheProcessEnds() throws Exception {
        int pidfd = own(linux.pidfd_open((int) process.pid(), 0));
        assertEquals(FileConstants.FD_CLOEXEC, posix.fcntl(pidfd, FileConstants.F_GETFD, 0));
        MemoryBlock wait = block(Pollfd.SIZE);
        Pollfd.set(wait.buffer(), 0, pidfd, PollConstants.POLLIN);
        assertEquals(0, posix.poll(wait.address(), 1, 0));
        process.destroyForcibly();
        assertEquals(1, posix.poll(wait.address(), 1, -1));
        process.waitFor();
    }

    /** Whether it has stopped is nothing that the JVM waits for, unlike its end. */
    @Test
    void waitidTellsOfItsOwnChild() {
        int pidfd = own(linux.pidfd_open((int) process.pid(), 0));
        MemoryBlock info = block(Siginfo.SIZE);
        ok(linux.waitid(P_PIDFD, pidfd, info.address(), WSTOPPED | WNOWAIT));
        assertEquals(process.pid(), Siginfo.pid(info.buffer(), 0));
        assertEquals(CLD_STOPPED, Siginfo.code(info.buffer(), 0));
        assertEquals(SIGSTOP, Siginfo.status(info.buffer(), 0));
        ok(linux.waitid(P_PIDFD, pidfd, info.address(), WEXITED | WNOHANG));
        assertEquals(0, Siginfo.pid(info.buffer(), 0), "it has not ended");
    }

    @Test
    void signalsTheProcess() throws Exception {
        int pidfd = own(linux.pidfd_open((int) process.pid(), 0));
        ok(linux.pidfd_send_signal(pidfd, 0, 0, 0));
        assertFails(Errno.EINVAL, linux.pidfd_send_signal(pidfd, 1000, 0, 0));
        ok(linux.pidfd_send_signal(pidfd, SIGKILL, 0, 0));
        assertEquals(128 + SIGKILL, process.waitFor());
        assertFails(Errno.ESRCH, linux.pidfd_send_signal(pidfd, SIGKILL, 0, 0));
        assertFails(Errno.EBADF, linux.pidfd_send_signal(1 << 20, SIGKILL, 0, 0));
    }

    @Test
    void refuses() throws Exception {
        MemoryBlock info = block(Siginfo.SIZE);
        int notChild = own(linux.pidfd_open((int) ProcessHandle.current().pid(), 0));
        assertFails(Errno.ECHILD, linux.waitid(P_PIDFD, notChild, info.address(), WEXITED | WNOHANG));
        assertFails(Errno.EINVAL, linux.pidfd_open(-1, 0));
        assertFails(Errno.EINVAL, linux.pidfd_open((int) process.pid(), -1));
        process.destroyForcibly().waitFor();
        assertFails(Errno.ESRCH, linux.pidfd_open((int) process.pid(), 0));
        assertFails(Errno.EBADF, linux.waitid(P_PIDFD, 1 << 20, info.address(), WEXITED | WNOHANG));
    }
}
