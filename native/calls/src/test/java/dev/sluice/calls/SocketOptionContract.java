package dev.sluice.calls;

import static dev.sluice.calls.layout.SocketConstants.AF_INET;
import static dev.sluice.calls.layout.SocketConstants.IPPROTO_TCP;
import static dev.sluice.calls.layout.SocketConstants.SOCK_CLOEXEC;
import static dev.sluice.calls.layout.SocketConstants.SOCK_NONBLOCK;
import static dev.sluice.calls.layout.SocketConstants.SOCK_STREAM;
import static dev.sluice.calls.layout.SocketConstants.SOL_SOCKET;
import static dev.sluice.calls.layout.SocketConstants.SO_ERROR;
import static dev.sluice.calls.layout.SocketConstants.SO_LINGER;
import static dev.sluice.calls.layout.SocketConstants.SO_REUSEADDR;
import static dev.sluice.calls.layout.SocketConstants.TCP_KEEPIDLE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.layout.Linger;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Options of sockets, written and read back. */
public abstract class SocketOptionContract extends BindingContract {

    private static final int LENGTH = 8;

    private int socket;
    private MemoryBlock value;

    protected SocketOptionContract(Binding binding) {
        super(binding);
    }

    @BeforeEach
    void openSocket() {
        socket = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        value = block(LENGTH + Integer.BYTES);
    }

    @Test
    void keepsNumbers() {
        assertEquals(0, get(SOL_SOCKET, SO_REUSEADDR));
        set(SOL_SOCKET, SO_REUSEADDR, 1);
        assertEquals(1, get(SOL_SOCKET, SO_REUSEADDR));
        set(IPPROTO_TCP, TCP_KEEPIDLE, 4711);
        assertEquals(4711, get(IPPROTO_TCP, TCP_KEEPIDLE));
    }

    @Test
    void keepsLinger() {
        for (int seconds : new int[] {7, 0, -1}) {
            Linger.set(value.buffer(), 0, seconds);
            ok(posix.setsockopt(socket, SOL_SOCKET, SO_LINGER, value.address(), Linger.SIZE));
            value.buffer().putLong(0, -1);
            read(SOL_SOCKET, SO_LINGER, Linger.SIZE);
            assertEquals(seconds, Linger.seconds(value.buffer(), 0));
        }
    }

    @Test
    void refusesWhatIsUnknownOrOutOfRange() {
        assertFails(Errno.ENOPROTOOPT, posix.setsockopt(socket, SOL_SOCKET, 9999, value.address(), Integer.BYTES));
        value.buffer().putInt(LENGTH, Integer.BYTES);
        assertFails(Errno.ENOPROTOOPT,
                posix.getsockopt(socket, SOL_SOCKET, 9999, value.address(), value.address() + LENGTH));
        assertFails(Errno.EINVAL, posix.setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, value.address(), Integer.BYTES));
    }

    @Test
    void errorOfAConnectInTheBackgroundIsKept() {
        int unconnectable = own(posix.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        Address loopback = Address.inet4(block(Address.SIZE), 0);
        ok(posix.bind(unconnectable, loopback.address(), loopback.length()));
        Address bound = localAddress(unconnectable);
        assertFails(Errno.EINPROGRESS, posix.connect(socket, bound.address(), bound.length()));

        MemoryBlock poll = block(Pollfd.SIZE);
        Pollfd.set(poll.buffer(), 0, socket, PollConstants.POLLOUT);
        assertEquals(1, posix.poll(poll.address(), 1, 10_000));
        assertEquals(PollConstants.POLLERR, Pollfd.revents(poll.buffer(), 0) & PollConstants.POLLERR);
        assertEquals(Errno.ECONNREFUSED.number(), get(SOL_SOCKET, SO_ERROR));
        assertEquals(0, get(SOL_SOCKET, SO_ERROR), "reported once");
    }

    private void set(int level, int name, int number) {
        value.buffer().putInt(0, number);
        ok(posix.setsockopt(socket, level, name, value.address(), Integer.BYTES));
    }

    private int get(int level, int name) {
        value.buffer().putInt(0, -1);
        read(level, name, Integer.BYTES);
        return value.buffer().getInt(0);
    }

    private void read(int level, int name, int length) {
        value.buffer().putInt(LENGTH, length);
        ok(posix.getsockopt(socket, level, name, value.address(), value.address() + LENGTH));
        assertEquals(length, value.buffer().getInt(LENGTH));
    }
}
