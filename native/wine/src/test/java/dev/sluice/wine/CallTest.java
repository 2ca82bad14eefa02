package dev.sluice.wine;

import static dev.sluice.calls.layout.WinsockConstants.SOCK_STREAM;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.calls.layout.Wsadata;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** How calls and their results travel. */
class CallTest extends Win32Test {

    private static final long NO_SOCKET = 0x7ffffff0;
    private static final int WSAVERNOTSUPPORTED = 10092;

    @Test
    void theBindingIsOneOfWindows() {
        assertEquals("wine", binding.name());
        assertEquals(Platform.Os.WINDOWS, binding.os());
    }

    @Test
    void errorsComeBackNegated() {
        long socket = stream();
        close(socket);
        assertFails(WindowsError.WSAENOTSOCK, windows.closesocket(socket));
        assertFails(WindowsError.WSAENOTSOCK, windows.accept(-1, 0, 0));
        assertFails(WindowsError.WSAEAFNOSUPPORT, windows.WSASocketW(99, SOCK_STREAM, 0, 0, 0, 0));
        assertFails(WindowsError.ERROR_INVALID_HANDLE, windows.CloseHandle(NO_SOCKET));
        assertFails(WindowsError.ERROR_INVALID_HANDLE, windows.CreateFileMappingW(NO_SOCKET, 0, 2, 0, 0, 0));
        assertFails(WindowsError.WSAEFAULT, windows.getsockname(stream(), 0, 0));
        assertFails(WSAVERNOTSUPPORTED, windows.WSAStartup(0, block(Wsadata.SIZE).address()));
    }

    @Test
    void statusesComeBackAsTheyAre() {
        assertEquals(WindowsError.ERROR_OPERATION_ABORTED,
                windows.RtlNtStatusToDosError(Win32Constants.STATUS_CANCELLED));
        assertEquals(WindowsError.ERROR_HANDLE_EOF,
                windows.RtlNtStatusToDosError(Win32Constants.STATUS_END_OF_FILE));
    }

    @Test
    void pointersThatTheHostDoesNotSeeAreRefused() {
        long socket = stream();
        String message = assertThrows(IllegalArgumentException.class, () -> windows.bind(socket, 0x1234, 16))
                .getMessage();
        assertEquals("bind: address: 16 bytes at 0x1234 do not lie in the memory shared with the Win32 host", message);

        MemoryBlock block = block(64);
        ByteBuffer foreign = ByteBuffer.allocateDirect(64);
        long here = memory.address(foreign);
        assertThrows(IllegalArgumentException.class, () -> windows.getsockname(socket, block.address(), here));
        assertThrows(IllegalArgumentException.class, () -> windows.WSAPoll(here, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> windows.send(socket, here, 65, 0), "behind its end");
        assertThrows(IllegalArgumentException.class, () -> windows.send(socket, 0x1234, 1, 0));
        OverlappedCall call = overlappedCall().buffer(0, block.address(), 8).buffer(1, 0x1234, 8);
        message = assertThrows(IllegalArgumentException.class, () -> windows.WSASend(socket, call.buffers(), 2,
                call.word(), 0, call.overlapped(), 0)).getMessage();
        assertTrue(message.startsWith("WSASend: buffers[1]: 8 bytes at 0x1234"), message);
        assertThrows(IllegalArgumentException.class, () -> windows.WSASend(socket, call.buffers(), 1, call.word(), 0,
                here, 0));
        assertFails(WindowsError.WSAENOTCONN, windows.recv(socket, here, 64, 0));
    }

    @Test
    void routinesThatTheHostWouldCallAreRefused() {
        OverlappedCall call = overlappedCall();
        assertThrows(IllegalArgumentException.class, () -> windows.WSARecv(stream(), call.buffers(), 0, 0, call.word(),
                call.overlapped(), 0x1234));
    }

    @Test
    void callThatBlocksHoldsUpNobodyElse() throws Exception {
        long event = handle(windows.CreateEventW(0, 1, 0, 0));
        FutureTask<Integer> wait = new FutureTask<>(waitFor(event));
        new Thread(wait).start();
        assertFails(WindowsError.WSAENOTSOCK, windows.closesocket(NO_SOCKET));
        ok(windows.SetEvent(event));
        assertEquals(Win32Constants.WAIT_OBJECT_0, wait.get());
    }

    @Test
    void interruptIsLeftToTheCaller() throws Exception {
        FutureTask<Boolean> calls = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 100; i++) {
                assertFails(WindowsError.WSAENOTSOCK, windows.closesocket(NO_SOCKET));
            }
            return Thread.currentThread().isInterrupted();
        });
        new Thread(calls).start();
        assertTrue(calls.get(), "the interrupt was swallowed");

        long event = handle(windows.CreateEventW(0, 1, 0, 0));
        FutureTask<Integer> wait = new FutureTask<>(waitFor(event));
        Thread waiter = new Thread(wait);
        waiter.start();
        waiter.interrupt();
        ok(windows.SetEvent(event));
        assertEquals(Win32Constants.WAIT_OBJECT_0, wait.get());
    }

    private Callable<Integer> waitFor(long event) {
        MemoryBlock handles = block(Long.BYTES);
        handles.buffer().putLong(0, event);
        return () -> windows.WaitForMultipleObjects(1, handles.address(), 0, Win32Constants.INFINITE);
    }

    @Test
    void threadsThatEndLeaveTheirSlotsToTheNext() throws Exception {
        for (int i = 0; i < 2 * Slots.MOST; i++) {
            FutureTask<Integer> call = new FutureTask<>(() -> windows.closesocket(NO_SOCKET));
            Thread thread = new Thread(call);
            thread.start();
            assertFails(WindowsError.WSAENOTSOCK, call.get());
            thread.join();
        }
        assertDoesNotThrow(this::stream);
    }
}
