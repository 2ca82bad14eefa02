package dev.sluice.wine;

import static dev.sluice.calls.layout.WinsockConstants.FD_ACCEPT;
import static dev.sluice.calls.layout.WinsockConstants.FD_READ;
import static dev.sluice.calls.layout.WinsockConstants.FD_WRITE;
import static dev.sluice.calls.layout.WinsockConstants.POLLRDNORM;
import static dev.sluice.calls.layout.WinsockConstants.POLLWRNORM;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.calls.layout.WinsockTimeval;
import dev.sluice.calls.layout.Wsanetworkevents;
import dev.sluice.calls.layout.Wsapollfd;
import org.junit.jupiter.api.Test;

/** The four ways to learn that a socket is ready. */
class ReadinessTest extends Win32Test {

    private static final int PATIENCE_MILLIS = 30_000;
    private static final long SECOND = 1_000_000_000;

    private final long[] ends = {0, 0};

    private void connect() {
        long[] connected = connection();
        ends[0] = connected[0];
        ends[1] = connected[1];
    }

    private void say() {
        assertEquals(5, windows.send(ends[0], block("hello").address(), 5, 0));
    }

    @Test
    void wsaPoll() {
        connect();
        MemoryBlock polled = block(2 * Wsapollfd.SIZE);
        Wsapollfd.set(polled.buffer(), 0, ends[0], POLLRDNORM | POLLWRNORM);
        Wsapollfd.set(polled.buffer(), Wsapollfd.SIZE, ends[1], POLLRDNORM);
        assertEquals(1, windows.WSAPoll(polled.address(), 2, PATIENCE_MILLIS));
        assertEquals(POLLWRNORM, Wsapollfd.revents(polled.buffer(), 0));
        say();
        assertEquals(1, windows.WSAPoll(polled.address() + Wsapollfd.SIZE, 1, PATIENCE_MILLIS));
        assertEquals(POLLRDNORM, Wsapollfd.revents(polled.buffer(), Wsapollfd.SIZE));
        Wsapollfd.set(polled.buffer(), 0, ends[0], POLLRDNORM);
        assertEquals(0, windows.WSAPoll(polled.address(), 1, 1), "the time is over");
    }

    @Test
    void select() {
        connect();
        // A set: how many, and as many sockets, each of 64 bits.
        MemoryBlock set = block(2 * Long.BYTES);
        MemoryBlock timeout = block(WinsockTimeval.SIZE);
        WinsockTimeval.set(timeout.buffer(), 0, SECOND / 1000);
        set.buffer().putInt(0, 1).putLong(Long.BYTES, ends[1]);
        assertEquals(0, windows.select(0, set.address(), 0, 0, timeout.address()), "the time is over");
        assertEquals(0, set.buffer().getInt(0));

        say();
        WinsockTimeval.set(timeout.buffer(), 0, 30 * SECOND);
        set.buffer().putInt(0, 1).putLong(Long.BYTES, ends[1]);
        assertEquals(1, windows.select(0, set.address(), 0, 0, timeout.address()));
        assertEquals(ends[1], set.buffer().getLong(Long.BYTES));
    }

    @Test
    void eventOfASocket() {
        long listener = listener();
        long event = handle(windows.CreateEventW(0, 1, 0, 0));
        ok(windows.WSAEventSelect(listener, event, FD_ACCEPT));
        MemoryBlock handles = block(Long.BYTES);
        handles.buffer().putLong(0, event);
        assertEquals(Win32Constants.WAIT_TIMEOUT, windows.WaitForMultipleObjects(1, handles.address(), 0, 1));

        LoopbackAddress address = addressOf(listener);
        long client = stream();
        ok(windows.connect(client, address.address(), address.length()));
        assertEquals(Win32Constants.WAIT_OBJECT_0,
                windows.WaitForMultipleObjects(1, handles.address(), 0, PATIENCE_MILLIS));
        MemoryBlock happened = block(Wsanetworkevents.SIZE);
        ok(windows.WSAEnumNetworkEvents(listener, event, happened.address()));
        assertEquals(FD_ACCEPT, happened.buffer().getInt(Wsanetworkevents.NETWORK_EVENTS));
        assertEquals(Win32Constants.WAIT_TIMEOUT, windows.WaitForMultipleObjects(1, handles.address(), 0, 0));
        ok(windows.ResetEvent(event));
        ok(windows.WSAEventSelect(client, event, FD_READ | FD_WRITE));
        assertEquals(Win32Constants.WAIT_OBJECT_0,
                windows.WaitForMultipleObjects(1, handles.address(), 1, PATIENCE_MILLIS));
    }

    @Test
    void waitForNoEventFails() {
        MemoryBlock handles = block(Long.BYTES);
        handles.buffer().putLong(0, 0x7ffffff0);
        assertFails(WindowsError.ERROR_INVALID_HANDLE, windows.WaitForMultipleObjects(1, handles.address(), 0, 0));
    }
}
