package dev.sluice.wine;

import static dev.sluice.calls.layout.WinsockConstants.SOL_SOCKET;
import static dev.sluice.calls.layout.WinsockConstants.SO_UPDATE_ACCEPT_CONTEXT;
import static dev.sluice.calls.layout.WinsockConstants.SO_UPDATE_CONNECT_CONTEXT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.ExtensionFunction;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.wine.CompletionPort.Packet;
import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Overlapped calls on sockets, and the port that tells of their end. */
class CompletionPortTest extends Win32Test {

    private static final int LISTENER = 1;
    private static final int CLIENT = 2;
    private static final int SERVER = 3;
    // AcceptEx wants more room than the address takes.
    private static final int ADDRESS = SockaddrStorage.SIZE + 16;

    @Test
    void postedPacketsArriveAsTheyAre() {
        CompletionPort port = port();
        assertFails(Win32Constants.WAIT_TIMEOUT, port.await(1));
        ok(windows.PostQueuedCompletionStatus(port.handle(), 7, -5, 0x123456789L));
        assertEquals(new Packet(-5, 0x123456789L, 7), port.next());
        assertFails(Win32Constants.WAIT_TIMEOUT, port.await(0));
    }

    @Test
    void waiterIsWokenByAnotherThread() throws Exception {
        CompletionPort port = port();
        FutureTask<Packet> wait = new FutureTask<>(port::next);
        new Thread(wait).start();
        ok(windows.PostQueuedCompletionStatus(port.handle(), 1, 2, 0));
        assertEquals(new Packet(2, 0, 1), wait.get());
    }

    @Test
    void acceptAndConnectThenSendAndReceive() {
        CompletionPort port = port();
        long listener = listener();
        port.associate(listener, LISTENER);
        long server = stream();
        long client = stream();
        bindToAnyPort(client);
        port.associate(client, CLIENT);

        MemoryBlock output = block(2 * ADDRESS);
        OverlappedCall accept = overlappedCall();
        assertFails(WindowsError.ERROR_IO_PENDING, windows.AcceptEx(pointer(ExtensionFunction.ACCEPT_EX, listener),
                listener, server, output.address(), 0, ADDRESS, ADDRESS, accept.word(), accept.overlapped()));
        LoopbackAddress address = addressOf(listener);
        OverlappedCall connect = overlappedCall();
        ByteBuffer greeting = foreign("greeting");
        OverlappedCall.assertStarted(windows.ConnectEx(pointer(ExtensionFunction.CONNECT_EX, client), client,
                address.address(), address.length(), memory.address(greeting), 8, connect.word(),
                connect.overlapped()));

        Packet one = port.next();
        Packet other = port.next();
        Packet accepted = one.key() == LISTENER ? one : other;
        assertEquals(new Packet(LISTENER, accept.overlapped(), 0), accepted);
        assertEquals(new Packet(CLIENT, connect.overlapped(), 8), accepted == one ? other : one);
        MemoryBlock pointer = block(Long.BYTES);
        pointer.buffer().putLong(0, listener);
        ok(windows.setsockopt(server, SOL_SOCKET, SO_UPDATE_ACCEPT_CONTEXT, pointer.address(), Long.BYTES));
        ok(windows.setsockopt(client, SOL_SOCKET, SO_UPDATE_CONNECT_CONTEXT, 0, 0));
        assertEquals(addressOf(client).port(), remotePort(listener, output));

        port.associate(server, SERVER);
        ByteBuffer in = foreign("----------");
        OverlappedCall receive = overlappedCall().buffer(0, memory.address(in) + 1, 8);
        OverlappedCall.assertStarted(windows.WSARecv(server, receive.buffers(), 1, 0, receive.word(),
                receive.overlapped(), 0));
        assertEquals(new Packet(SERVER, receive.overlapped(), 8), port.next());
        assertEquals("-greeting-", text(in, 10));
        assertEquals(Win32Constants.STATUS_SUCCESS, receive.status());
    }

    private int remotePort(long listener, MemoryBlock output) {
        MemoryBlock found = block(4 * Long.BYTES);
        windows.GetAcceptExSockaddrs(pointer(ExtensionFunction.GET_ACCEPT_EX_SOCKADDRS, listener), output.address(), 0,
                ADDRESS, ADDRESS, found.address(), found.address() + 8, found.address() + 16, found.address() + 24);
        int at = (int) (found.buffer().getLong(16) - output.address());
        MemoryBlock remote = block(LoopbackAddress.ROOM);
        LoopbackAddress address = new LoopbackAddress(remote, 0);
        remote.buffer().put(0, output.buffer(), at, found.buffer().getInt(24));
        return address.port();
    }

    @Test
    void receiveThatGoesOnFillsBuffersOfUsersAtItsEnd() {
        CompletionPort port = port();
        long[] ends = connection();
        port.associate(ends[1], SERVER);
        ByteBuffer first = foreign("---");
        MemoryBlock second = block("-----");
        OverlappedCall receive = overlappedCall().buffer(0, memory.address(first), 3)
                .buffer(1, second.address(), 5);
        assertFails(WindowsError.ERROR_IO_PENDING, windows.WSARecv(ends[1], receive.buffers(), 2, 0, receive.word(),
                receive.overlapped(), 0));
        assertFails(Win32Constants.WAIT_TIMEOUT, port.await(0));

        ByteBuffer out = foreign("hello");
        OverlappedCall send = overlappedCall().buffer(0, memory.address(out), 5);
        OverlappedCall.assertStarted(windows.WSASend(ends[0], send.buffers(), 1, 0, 0, send.overlapped(), 0));
        assertEquals(new Packet(SERVER, receive.overlapped(), 5), port.next());
        assertEquals("hel", text(first, 3));
        assertEquals("lo---", text(second.buffer(), 5));
    }

    @Test
    void receivedDatagramsTellTheirSender() {
        CompletionPort port = port();
        long receiver = datagram();
        long sender = datagram();
        port.associate(receiver, SERVER);
        ByteBuffer in = foreign("--------");
        LoopbackAddress from = anyPort();
        OverlappedCall receive = overlappedCall().buffer(0, memory.address(in), 8);
        assertFails(WindowsError.ERROR_IO_PENDING, windows.WSARecvFrom(receiver, receive.buffers(), 1, 0,
                receive.word(), from.address(), from.lengthAddress(), receive.overlapped(), 0));
        LoopbackAddress to = addressOf(receiver);
        ByteBuffer out = foreign("12345");
        OverlappedCall send = overlappedCall().buffer(0, memory.address(out), 5);
        OverlappedCall.assertStarted(windows.WSASendTo(sender, send.buffers(), 1, 0, 0, to.address(), to.length(),
                send.overlapped(), 0));
        assertEquals(new Packet(SERVER, receive.overlapped(), 5), port.next());
        assertEquals("12345---", text(in, 8));
        assertEquals(addressOf(sender).port(), from.port());
    }

    @Test
    void sendOfMuchGoesOnUntilItIsReceived() {
        CompletionPort port = port();
        long[] ends = connection();
        port.associate(ends[0], CLIENT);
        int size = 24 << 20;
        ByteBuffer out = ByteBuffer.allocateDirect(size);
        for (int i = 0; i < size; i += Long.BYTES) {
            out.putLong(i, i * 0x9E3779B97F4A7C15L);
        }
        OverlappedCall send = overlappedCall().buffer(0, memory.address(out), size);
        OverlappedCall.assertStarted(windows.WSASend(ends[0], send.buffers(), 1, 0, 0, send.overlapped(), 0));
        ByteBuffer in = ByteBuffer.allocateDirect(size);
        for (int at = 0; at < size; ) {
            int received = ok(windows.recv(ends[1], memory.address(in) + at, size - at, 0));
            assertTrue(received > 0, "end of stream");
            at += received;
        }
        assertEquals(new Packet(CLIENT, send.overlapped(), size), port.next());
        assertEquals(out, in);
    }

    @Test
    void cancelledCallCompletesSo() {
        CompletionPort port = port();
        long[] ends = connection();
        port.associate(ends[1], SERVER);
        ByteBuffer in = foreign("---");
        OverlappedCall receive = overlappedCall().buffer(0, memory.address(in), 3);
        assertFails(WindowsError.ERROR_IO_PENDING, windows.WSARecv(ends[1], receive.buffers(), 1, 0, receive.word(),
                receive.overlapped(), 0));
        ok(windows.CancelIoEx(ends[1], receive.overlapped()));
        assertEquals(new Packet(SERVER, receive.overlapped(), 0), port.next());
        assertEquals(Win32Constants.STATUS_CANCELLED, receive.status());
        assertFails(WindowsError.ERROR_OPERATION_ABORTED,
                windows.GetOverlappedResult(ends[1], receive.overlapped(), receive.word(), 0));
        assertFails(WindowsError.ERROR_NOT_FOUND, windows.CancelIoEx(ends[1], receive.overlapped()));
        assertEquals("---", text(in, 3));
    }

    @Test
    void resultIsToldWithoutAPort() {
        long[] ends = connection();
        ByteBuffer in = foreign("---");
        OverlappedCall receive = overlappedCall().buffer(0, memory.address(in), 3);
        assertFails(WindowsError.ERROR_IO_PENDING, windows.WSARecv(ends[1], receive.buffers(), 1, 0, receive.word(),
                receive.overlapped(), 0));
        assertFails(WindowsError.ERROR_IO_INCOMPLETE,
                windows.GetOverlappedResult(ends[1], receive.overlapped(), receive.word(), 0));
        assertEquals("---", text(in, 3));
        assertEquals(2, windows.send(ends[0], block("ok").address(), 2, 0));
        ok(windows.GetOverlappedResult(ends[1], receive.overlapped(), receive.word(), 1));
        assertEquals("ok-", text(in, 3));
        assertEquals(2, receive.transferred());
    }

    @Test
    void successAtOnceNeedsNoPacketIfThatIsAskedFor() {
        CompletionPort port = port();
        long[] ends = connection();
        port.associate(ends[1], SERVER);
        ok(windows.SetFileCompletionNotificationModes(ends[1],
                Win32Constants.FILE_SKIP_COMPLETION_PORT_ON_SUCCESS | Win32Constants.FILE_SKIP_SET_EVENT_ON_HANDLE));
        assertEquals(2, windows.send(ends[0], block("ok").address(), 2, 0));
        ByteBuffer in = foreign("---");
        OverlappedCall receive = overlappedCall().buffer(0, memory.address(in), 3);
        int result = windows.WSARecv(ends[1], receive.buffers(), 1, 0, receive.word(), receive.overlapped(), 0);
        if (result == -WindowsError.ERROR_IO_PENDING) {
            // The bytes are still on their way, and then there is one.
            assertEquals(new Packet(SERVER, receive.overlapped(), 2), port.next());
        }
        assertEquals("ok-", text(in, 3));
        assertFails(Win32Constants.WAIT_TIMEOUT, port.await(0));
    }
}
