package dev.sluice.wine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.testing.Depth;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waits of the system's threads, and what they call. */
class RegisteredWaitTest extends Win32Test {

    private static final int PATIENCE_MILLIS = 30_000;
    private static final long ALL_CALLBACKS = -1;

    private long setEvent;

    @BeforeEach
    void findCallback() {
        long kernel = windows.GetModuleHandleW(wide("kernel32.dll\0").address());
        setEvent = windows.GetProcAddress(kernel, block("SetEvent\0").address());
        assertTrue(kernel > 0 && setEvent > 0, "SetEvent");
        assertTrue(windows.GetModuleHandleW(wide("no such library\0").address()) < 0);
        assertTrue(windows.GetProcAddress(kernel, block("NoSuchFunction\0").address()) < 0);
    }

    private MemoryBlock wide(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_16LE);
        MemoryBlock block = block(bytes.length);
        block.buffer().put(0, bytes);
        return block;
    }

    private int await(long object, int millis) {
        MemoryBlock handles = block(Long.BYTES);
        handles.buffer().putLong(0, object);
        return windows.WaitForMultipleObjects(1, handles.address(), 0, millis);
    }

    private long register(long object, long told) {
        MemoryBlock wait = block(Long.BYTES);
        ok(windows.RegisterWaitForSingleObject(wait.address(), object, setEvent, told, Win32Constants.INFINITE,
                Win32Constants.WT_EXECUTEONLYONCE));
        return wait.buffer().getLong(0);
    }

    @Test
    void oneEventSetsAnother() {
        long event = handle(windows.CreateEventW(0, 0, 0, 0));
        long told = handle(windows.CreateEventW(0, 1, 0, 0));
        long wait = register(event, told);
        assertEquals(Win32Constants.WAIT_TIMEOUT, await(told, 1));
        ok(windows.SetEvent(event));
        assertEquals(Win32Constants.WAIT_OBJECT_0, await(told, PATIENCE_MILLIS));
        assertEquals(Win32Constants.WAIT_TIMEOUT, await(event, 0), "the wait has reset it");
        ok(windows.SetEvent(event));
        ok(windows.UnregisterWaitEx(wait, ALL_CALLBACKS));
        assertEquals(Win32Constants.WAIT_OBJECT_0, await(event, 0), "it was a wait for once");
    }

    /** With {@code INVALID_HANDLE_VALUE} the call would miss a callback that begins in that moment. */
    @Test
    void waitThatEndsWhileItsObjectIsSetSetsNothingLater() throws Exception {
        long event = handle(windows.CreateEventW(0, 0, 0, 0));
        long told = handle(windows.CreateEventW(0, 0, 0, 0));
        long over = handle(windows.CreateEventW(0, 0, 0, 0));
        for (int i = 0; i < Depth.times(50, 300, 2000); i++) {
            long wait = register(event, told);
            Thread setting = new Thread(() -> windows.SetEvent(event));
            setting.start();
            int result = windows.UnregisterWaitEx(wait, over);
            assertTrue(result >= 0 || result == -WindowsError.ERROR_IO_PENDING, () -> "error " + -result);
            assertEquals(Win32Constants.WAIT_OBJECT_0, await(over, PATIENCE_MILLIS));
            boolean set = await(told, 0) == Win32Constants.WAIT_OBJECT_0;
            setting.join();
            // What is set now was set by nobody, or by a wait that was over.
            assertEquals(Win32Constants.WAIT_TIMEOUT, await(told, 0));
            assertFalse(await(event, 0) == Win32Constants.WAIT_OBJECT_0 && set, "it was set once, and told twice");
        }
    }

    @Test
    void endedWaitSetsNothing() {
        long event = handle(windows.CreateEventW(0, 1, 0, 0));
        long told = handle(windows.CreateEventW(0, 1, 0, 0));
        ok(windows.UnregisterWaitEx(register(event, told), ALL_CALLBACKS));
        ok(windows.SetEvent(event));
        assertEquals(Win32Constants.WAIT_TIMEOUT, await(told, 1));
    }

    @Test
    void processes() {
        int access = Win32Constants.SYNCHRONIZE | Win32Constants.PROCESS_QUERY_LIMITED_INFORMATION;
        assertFails(WindowsError.ERROR_INVALID_PARAMETER, windows.OpenProcess(access, 0, 0x7ffffff0));
        MemoryBlock code = block(Integer.BYTES);
        assertFails(WindowsError.ERROR_INVALID_HANDLE, windows.GetExitCodeProcess(0x7ffffff0, code.address()));
    }
}
