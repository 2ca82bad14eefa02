package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.FD_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.F_GETFD;
import static dev.sluice.calls.layout.FileConstants.F_GETFL;
import static dev.sluice.calls.layout.FileConstants.F_SETFD;
import static dev.sluice.calls.layout.FileConstants.F_SETFL;
import static dev.sluice.calls.layout.FileConstants.O_NONBLOCK;
import static dev.sluice.calls.layout.FileConstants.O_WRONLY;
import static dev.sluice.calls.layout.FileConstants.SEEK_SET;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Pipes, and the flags of descriptors. */
public abstract class PipeContract extends BindingContract {

    protected PipeContract(Binding binding) {
        super(binding);
    }

    @Test
    void carriesBytesToItsEnd() {
        int[] pipe = pipe();
        MemoryBlock in = block(8);
        assertEquals(4, posix.write(pipe[1], text("flow").address(), 4));
        assertEquals(4, posix.read(pipe[0], in.address(), 8));
        assertEquals("flow", text(in, 0, 4));
        close(pipe[1]);
        assertEquals(0, posix.read(pipe[0], in.address(), 8));
    }

    @Test
    void refuses() {
        int[] pipe = pipe();
        assertFails(Errno.ESPIPE, posix.lseek(pipe[0], 0, SEEK_SET));
        assertFails(Errno.ESPIPE, posix.pread(pipe[0], block(1).address(), 1, 0));
        assertFails(Errno.EFAULT, posix.write(pipe[1], 8, 1));
        close(pipe[0]);
        assertFails(Errno.EPIPE, posix.write(pipe[1], block(1).address(), 1));
    }

    @Test
    void refusesToWriteItsDescriptorsNowhere() {
        Emulator.deviates("does not close the descriptors of a pipe that it cannot return");
        assertFails(Errno.EFAULT, posix.pipe(0));
    }

    @Test
    void doesNotBlockIfNonBlocking() {
        int[] pipe = pipe();
        for (int end : pipe) {
            int flags = ok(posix.fcntl(end, F_GETFL, 0));
            assertEquals(0, flags & O_NONBLOCK);
            ok(posix.fcntl(end, F_SETFL, flags | O_NONBLOCK));
            assertEquals(flags | O_NONBLOCK, posix.fcntl(end, F_GETFL, 0));
        }
        assertEquals(O_WRONLY, posix.fcntl(pipe[1], F_GETFL, 0) & O_WRONLY);
        MemoryBlock bytes = block(1 << 16);
        assertFails(Errno.EAGAIN, posix.read(pipe[0], bytes.address(), 1));
        long written;
        do {
            written = posix.write(pipe[1], bytes.address(), 1 << 16);
        } while (written > 0);
        assertFails(Errno.EAGAIN, written);
    }

    @Test
    void staysOpenOrNotInAProgramThatIsExecuted() {
        int end = pipe()[0];
        assertEquals(0, posix.fcntl(end, F_GETFD, 0));
        ok(posix.fcntl(end, F_SETFD, FD_CLOEXEC));
        assertEquals(FD_CLOEXEC, posix.fcntl(end, F_GETFD, 0));
        assertFails(Errno.EINVAL, posix.fcntl(end, 9999, 0));
    }

    @Test
    void closes() {
        int[] pipe = pipe();
        close(pipe[0]);
        // Not that a second close fails: the JVM may have opened the descriptor again, and would lose it.
        assertFails(Errno.EPIPE, posix.write(pipe[1], block(1).address(), 1));
        assertFails(Errno.EBADF, posix.close(-1));
    }
}
