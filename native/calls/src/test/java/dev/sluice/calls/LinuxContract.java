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
import static dev.sluice.calls.layout.ResourceConstants.PRIO_PROCESS;
import static dev.sluice.calls.layout.SocketConstants.AF_INET;
import static dev.sluice.calls.layout.SocketConstants.MSG_TRUNC;
import static dev.sluice.calls.layout.SocketConstants.SOCK_CLOEXEC;
import static dev.sluice.calls.layout.SocketConstants.SOCK_DGRAM;
import static dev.sluice.calls.layout.SocketConstants.SOCK_NONBLOCK;
import static dev.sluice.calls.layout.SocketConstants.SOCK_STREAM;
import static dev.sluice.calls.layout.SocketConstants.SOL_SOCKET;
import static dev.sluice.calls.layout.SocketConstants.SO_MEMINFO;
import static dev.sluice.calls.layout.SocketConstants.SO_RCVBUF;
import static dev.sluice.calls.layout.SocketConstants.SO_RXQ_OVFL;
import static dev.sluice.calls.layout.UdpConstants.SOL_UDP;
import static dev.sluice.calls.layout.UdpConstants.UDP_GRO;
import static dev.sluice.calls.layout.UdpConstants.UDP_SEGMENT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.Cmsghdr;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.Mmsghdr;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.OpenHow;
import dev.sluice.calls.layout.SockDiagConstants;
import dev.sluice.calls.layout.SockaddrIn;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only Linux has, but epoll. */
public abstract class LinuxContract extends BindingContract {

    private static final int NICEST = 19;

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
        Address loopback = Address.inet4(block(Address.SIZE), 0);
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

    private int udp() {
        int socket = own(posix.socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        Address loopback = Address.inet4(block(Address.SIZE), 0);
        ok(posix.bind(socket, loopback.address(), loopback.length()));
        return socket;
    }

    @Test
    void recvmmsgTakesSeveralDatagrams() {
        int from = udp();
        int to = udp();
        Address address = localAddress(to);
        MemoryBlock messages = block(3 * Mmsghdr.SIZE);
        MemoryBlock vectors = block(3 * Iovec.SIZE);
        MemoryBlock names = block(3 * SockaddrIn.SIZE);
        MemoryBlock data = block(3 * 4);
        for (int i = 0; i < 3; i++) {
            Iovec.set(vectors.buffer(), i * Iovec.SIZE, data.address() + i * 4, 4);
            Msghdr.set(messages.buffer(), i * Mmsghdr.SIZE + Mmsghdr.HDR, names.address() + i * SockaddrIn.SIZE,
                    SockaddrIn.SIZE, vectors.address() + i * Iovec.SIZE, 1);
        }
        assertFails(Errno.EAGAIN, linux.recvmmsg(to, messages.address(), 3, MSG_TRUNC, 0));
        assertEquals(3, posix.sendto(from, text("one").address(), 3, 0, address.address(), address.length()));
        assertEquals(7, posix.sendto(from, text("too long").address(), 7, 0, address.address(), address.length()));
        assertEquals(2, linux.recvmmsg(to, messages.address(), 3, MSG_TRUNC, 0));
        assertEquals(3, Mmsghdr.length(messages.buffer(), 0));
        assertEquals("one", text(data, 0, 3));
        assertEquals(7, Mmsghdr.length(messages.buffer(), Mmsghdr.SIZE), "cut off");
        assertEquals("too ", text(data, 4, 4));
        byte[] sender = new byte[SockaddrIn.SIZE];
        names.buffer().get(SockaddrIn.SIZE, sender);
        assertArrayEquals(localAddress(from).bytes(), sender);
        assertFails(Errno.EBADF, linux.recvmmsg(-1, messages.address(), 3, 0, 0));
    }

    @Test
    void sendmmsgSendsSeveralDatagramsUpToTheFirstThatFails() {
        int from = udp();
        int to = udp();
        Address address = localAddress(to);
        MemoryBlock messages = block(3 * Mmsghdr.SIZE);
        MemoryBlock vectors = block(3 * Iovec.SIZE);
        MemoryBlock data = text("abcdef");
        for (int i = 0; i < 3; i++) {
            Iovec.set(vectors.buffer(), i * Iovec.SIZE, data.address() + i, i + 1);
            Msghdr.set(messages.buffer(), i * Mmsghdr.SIZE + Mmsghdr.HDR, address.address(), address.length(),
                    vectors.address() + i * Iovec.SIZE, 1);
        }
        assertEquals(3, linux.sendmmsg(from, messages.address(), 3, 0));
        MemoryBlock in = block(4);
        for (String expected : new String[] {"a", "bc", "cde"}) {
            assertEquals(expected.length(), posix.recv(to, in.address(), 4, 0));
            assertEquals(expected, text(in, 0, expected.length()));
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(i + 1, Mmsghdr.length(messages.buffer(), i * Mmsghdr.SIZE));
        }
        Msghdr.nameLength(messages.buffer(), Mmsghdr.SIZE + Mmsghdr.HDR, 0);
        assertEquals(1, linux.sendmmsg(from, messages.address(), 3, 0));
        assertFails(Errno.EDESTADDRREQ, linux.sendmmsg(from, messages.address() + Mmsghdr.SIZE, 2, 0));
        assertEquals(1, posix.recv(to, in.address(), 4, 0));
        assertFails(Errno.EAGAIN, posix.recv(to, in.address(), 4, 0));
        assertFails(Errno.EBADF, linux.sendmmsg(-1, messages.address(), 3, 0));
    }

    @Test
    void theSystemCountsWhatItDrops() {
        Emulator.deviates("does not know SO_RXQ_OVFL and SO_MEMINFO");
        int from = udp();
        int to = udp();
        MemoryBlock option = block(SockDiagConstants.SK_MEMINFO_VARS * Integer.BYTES);
        option.buffer().putInt(0, 1);
        ok(posix.setsockopt(to, SOL_SOCKET, SO_RXQ_OVFL, option.address(), Integer.BYTES));
        // The kernel makes of this the least that it allows.
        ok(posix.setsockopt(to, SOL_SOCKET, SO_RCVBUF, option.address(), Integer.BYTES));
        Address address = localAddress(to);
        int sent = 100;
        for (int i = 0; i < sent; i++) {
            assertEquals(4, posix.sendto(from, text("text").address(), 4, 0, address.address(), address.length()));
        }
        int received = 0;
        while (posix.recv(to, option.address(), 4, 0) == 4) {
            received++;
        }
        MemoryBlock length = block(Integer.BYTES);
        length.buffer().putInt(0, SockDiagConstants.SK_MEMINFO_VARS * Integer.BYTES);
        ok(posix.getsockopt(to, SOL_SOCKET, SO_MEMINFO, option.address(), length.address()));
        int dropped = option.buffer().getInt(SockDiagConstants.SK_MEMINFO_DROPS * Integer.BYTES);
        assertTrue(dropped > 0, "none dropped");
        assertEquals(sent, received + dropped);

        assertEquals(4, posix.sendto(from, text("last").address(), 4, 0, address.address(), address.length()));
        MemoryBlock message = block(Msghdr.SIZE);
        MemoryBlock control = block(Cmsghdr.SPACE_FOR_INT);
        Msghdr.set(message.buffer(), 0, 0, 0, 0, 0);
        Msghdr.control(message.buffer(), 0, control.address(), Cmsghdr.SPACE_FOR_INT);
        ok((int) posix.recvmsg(to, message.address(), 0));
        assertEquals(Cmsghdr.SPACE_FOR_INT, Msghdr.controlLength(message.buffer(), 0));
        assertEquals(0, Cmsghdr.findInt(control.buffer(), 0, Cmsghdr.SPACE_FOR_INT, SOL_SOCKET, SO_RXQ_OVFL));
        assertEquals(dropped, Cmsghdr.intData(control.buffer(), 0));
    }

    /** Since Linux 5.0. */
    @Test
    void aMessageIsCutIntoDatagramsAndTheyArriveJoinedIfWanted() {
        int from = udp();
        int to = udp();
        MemoryBlock option = block(2 * Integer.BYTES);
        option.buffer().putInt(Integer.BYTES, Integer.BYTES);
        ok(posix.getsockopt(from, SOL_UDP, UDP_SEGMENT, option.address(), option.address() + Integer.BYTES));
        assertEquals(0, option.buffer().getInt(0), "none unless it is asked for");
        Address address = localAddress(to);
        MemoryBlock data = text("abcdefgh");
        MemoryBlock vector = block(Iovec.SIZE);
        Iovec.set(vector.buffer(), 0, data.address(), 8);
        MemoryBlock message = block(Msghdr.SIZE);
        Msghdr.set(message.buffer(), 0, address.address(), address.length(), vector.address(), 1);
        MemoryBlock control = block(Cmsghdr.SPACE_FOR_SHORT);
        Cmsghdr.setShort(control.buffer(), 0, SOL_UDP, UDP_SEGMENT, (short) 3);
        Msghdr.control(message.buffer(), 0, control.address(), Cmsghdr.SPACE_FOR_SHORT);
        Emulator.deviatesInControlData();
        assertEquals(8, posix.sendmsg(from, message.address(), 0));
        MemoryBlock in = block(100);
        for (String expected : new String[] {"abc", "def", "gh"}) {
            assertEquals(expected.length(), posix.recv(to, in.address(), 100, 0));
            assertEquals(expected, text(in, 0, expected.length()));
        }
        option.buffer().putInt(0, 1);
        ok(posix.setsockopt(to, SOL_UDP, UDP_GRO, option.address(), Integer.BYTES));
        assertEquals(8, posix.sendmsg(from, message.address(), 0));
        MemoryBlock told = block(Cmsghdr.SPACE_FOR_INT);
        Iovec.set(vector.buffer(), 0, in.address(), 100);
        Msghdr.set(message.buffer(), 0, 0, 0, vector.address(), 1);
        Msghdr.control(message.buffer(), 0, told.address(), Cmsghdr.SPACE_FOR_INT);
        assertEquals(8, posix.recvmsg(to, message.address(), 0));
        assertEquals("abcdefgh", text(in, 0, 8));
        int length = Msghdr.controlLength(message.buffer(), 0);
        assertEquals(0, Cmsghdr.findInt(told.buffer(), 0, length, SOL_UDP, UDP_GRO));
        assertEquals(3, Cmsghdr.intData(told.buffer(), 0));
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
    void setpriorityMakesTheCallingThreadNicerAndNoOther() throws Exception {
        int before = NiceValue.ofCurrentThread();
        int nicer = Math.min(before + 1, NICEST);
        FutureTask<Integer> nice = new FutureTask<>(() -> {
            ok(linux.setpriority(PRIO_PROCESS, 0, nicer));
            return NiceValue.ofCurrentThread();
        });
        Thread thread = new Thread(nice, "nicer than the others");
        thread.start();
        assertEquals(nicer, nice.get());
        thread.join();
        assertEquals(before, NiceValue.ofCurrentThread());
        assertFails(Errno.EINVAL, linux.setpriority(-1, 0, nicer));
        assertFails(Errno.ESRCH, linux.setpriority(PRIO_PROCESS, Integer.MAX_VALUE, nicer));
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

    @Test
    void openat2LeadsNotOutOfTheDirectory(@TempDir Path directory) {
        int from = own(posix.open(text(directory.toString()).address(), FileConstants.O_DIRECTORY | O_CLOEXEC, 0));
        MemoryBlock how = block(OpenHow.SIZE);
        OpenHow.setBeneath(how.buffer(), 0, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        int file = own(linux.openat2(from, text("file").address(), how.address(), OpenHow.SIZE));
        assertEquals(1, posix.write(file, text("x").address(), 1));
        assertFails(Errno.EXDEV, linux.openat2(from, text("../file").address(), how.address(), OpenHow.SIZE));
        OpenHow.setBeneath(how.buffer(), 0, O_CLOEXEC, 0600);
        own(linux.openat2(from, text("file").address(), how.address(), OpenHow.SIZE));
        assertFails(Errno.EINVAL, linux.openat2(from, text("file").address(), how.address(), 1));
    }
}
