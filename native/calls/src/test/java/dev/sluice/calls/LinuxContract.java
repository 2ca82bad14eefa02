package dev.sluice.calls;

import static dev.sluice.calls.layout.EpollConstants.EFD_CLOEXEC;
import static dev.sluice.calls.layout.EpollConstants.EFD_NONBLOCK;
import static dev.sluice.calls.layout.FileConstants.FD_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.F_GETFD;
import static dev.sluice.calls.layout.FileConstants.F_GETFL;
import static dev.sluice.calls.layout.FileConstants.O_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.O_CREAT;
import static dev.sluice.calls.layout.FileConstants.O_NONBLOCK;
import static dev.sluice.calls.layout.FileConstants.O_RDWR;
import static dev.sluice.calls.layout.SocketConstants.AF_INET;
import static dev.sluice.calls.layout.SocketConstants.SOCK_CLOEXEC;
import static dev.sluice.calls.layout.SocketConstants.SOCK_NONBLOCK;
import static dev.sluice.calls.layout.SocketConstants.SOCK_STREAM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only Linux has, but epoll. */
public abstract class LinuxContract extends BindingContract {

    private final Linux linux;

    protected LinuxContract(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    @Test
    void eventfdCounts() {
        int counter = own(linux.eventfd(3, EFD_CLOEXEC | EFD_NONBLOCK));
        assertFlags(counter, FD_CLOEXEC, O_NONBLOCK);
        MemoryBlock number = block(8);
        number.buffer().putLong(0, FAR);
        assertEquals(8, posix.write(counter, number.address(), 8));
        assertEquals(8, posix.read(counter, number.address(), 8));
        assertEquals(FAR + 3, number.buffer().getLong(0));
        assertFails(Errno.EAGAIN, posix.read(counter, number.address(), 8));
        assertFails(Errno.EINVAL, posix.read(counter, number.address(), 7));
        assertFails(Errno.EINVAL, linux.eventfd(0, -1));
    }

    @Test
    void accept4SetsFlags() {
        int server = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        Address loopback = Address.inet4(block(Address.ROOM), 0);
        ok(posix.bind(server, loopback.address(), loopback.length()));
        ok(posix.listen(server, 8));
        assertFails(Errno.EAGAIN, linux.accept4(server, 0, 0, 0));
        assertFails(Errno.EINVAL, linux.accept4(server, 0, 0, 1));

        Address bound = localAddress(server);
        int client = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        ok(posix.connect(client, bound.address(), bound.length()));
        Address peer = unknownAddress();
        int flagged = own(linux.accept4(server, peer.address(), peer.lengthAddress(), SOCK_CLOEXEC | SOCK_NONBLOCK));
        assertFlags(flagged, FD_CLOEXEC, O_NONBLOCK);
        assertArrayEquals(localAddress(client).bytes(), peer.bytes());

        int second = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        ok(posix.connect(second, bound.address(), bound.length()));
        assertFlags(own(linux.accept4(server, 0, 0, 0)), 0, 0);
    }

    @Test
    void pipe2SetsFlags() {
        for (int end : pair(two -> linux.pipe2(two, O_CLOEXEC | O_NONBLOCK))) {
            assertFlags(end, FD_CLOEXEC, O_NONBLOCK);
        }
        for (int end : pair(two -> linux.pipe2(two, 0))) {
            assertFlags(end, 0, 0);
        }
        assertFails(Errno.EINVAL, linux.pipe2(block(8).address(), -1));
    }

    private void assertFlags(int fd, int descriptorFlags, int statusFlags) {
        assertEquals(descriptorFlags, ok(posix.fcntl(fd, F_GETFD, 0)));
        assertEquals(statusFlags, ok(posix.fcntl(fd, F_GETFL, 0)) & O_NONBLOCK);
    }

    @Test
    void sendfileCopiesFromBeyondFourGiB(@TempDir Path directory) {
        int file = own(posix.open(text(directory + "/file").address(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        assertEquals(8, posix.pwrite(file, text("far away").address(), 8, FAR));
        int[] ends = socketPair(SOCK_STREAM);
        MemoryBlock offset = block(8);
        offset.buffer().putLong(0, FAR + 1);
        assertEquals(6, linux.sendfile(ends[0], file, offset.address(), 6));
        assertEquals(FAR + 7, offset.buffer().getLong(0));
        MemoryBlock in = block(8);
        assertEquals(6, posix.recv(ends[1], in.address(), 8, 0));
        assertEquals("ar awa", text(in, 0, 6));
        assertEquals(8, linux.sendfile(ends[0], file, 0, 8), "from the file's own position");
        assertFails(Errno.ESPIPE, linux.sendfile(ends[0], ends[1], offset.address(), 1));
    }
}
