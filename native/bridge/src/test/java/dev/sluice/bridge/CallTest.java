package dev.sluice.bridge;

import static dev.sluice.calls.layout.WinsockConstants.AF_INET;
import static dev.sluice.calls.layout.WinsockConstants.SOCK_STREAM;
import static dev.sluice.calls.layout.WinsockConstants.WSA_FLAG_OVERLAPPED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Platform;
import dev.sluice.calls.WindowsError;
import org.junit.jupiter.api.Test;

/** How calls and their results travel. */
class CallTest extends Win32Test {

    @Test
    void theBindingIsOneOfWindows() {
        assertEquals("wine", binding.name());
        assertEquals(Platform.Os.WINDOWS, binding.os());
    }

    @Test
    void errorsComeBackNegated() {
        long socket = ok(windows.WSASocketW(AF_INET, SOCK_STREAM, 0, 0, 0, WSA_FLAG_OVERLAPPED));
        assertEquals(0, windows.closesocket(socket));
        assertFails(WindowsError.WSAENOTSOCK, windows.closesocket(socket));
        assertFails(WindowsError.WSAENOTSOCK, windows.listen(-1, 1));
        assertFails(WindowsError.ERROR_INVALID_HANDLE, windows.CloseHandle(0x7ffffff0));
        assertFails(WindowsError.WSAEAFNOSUPPORT, windows.WSASocketW(99, SOCK_STREAM, 0, 0, 0, 0));
    }
}
