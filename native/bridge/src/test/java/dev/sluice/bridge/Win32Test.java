package dev.sluice.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.layout.Wsadata;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** What all tests of the calls share: Winsock is started, and each test gives back what it took. */
@Tag("windows")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class Win32Test {

    private static final int WINSOCK_2_2 = 0x202;

    final Binding binding = Bindings.current();
    final Windows windows = binding.windows();

    private final List<Long> sockets = new ArrayList<>();
    private final List<Long> handles = new ArrayList<>();
    private final List<MemoryBlock> blocks = new ArrayList<>();
    private long bytesBefore;

    @BeforeEach
    void startWinsock() {
        bytesBefore = MemoryBlock.openBytes();
        assertEquals(0, windows.WSAStartup(WINSOCK_2_2, block(Wsadata.SIZE).address()));
    }

    @AfterEach
    void giveBack() {
        sockets.forEach(socket -> ok(windows.closesocket(socket)));
        handles.forEach(handle -> ok(windows.CloseHandle(handle)));
        blocks.forEach(MemoryBlock::close);
        assertEquals(bytesBefore, MemoryBlock.openBytes(), "bytes of memory leaked");
    }

    /** {@return the socket that a call gave, to be closed after the test} */
    final long socket(long result) {
        sockets.add(ok(result));
        return result;
    }

    /** {@return the handle that a call gave, to be closed after the test} */
    final long handle(long result) {
        handles.add(ok(result));
        return result;
    }

    final void close(long socket) {
        assertTrue(sockets.remove(socket), "not open: " + socket);
        ok(windows.closesocket(socket));
    }

    /** {@return memory to be freed after the test} */
    final MemoryBlock block(int size) {
        MemoryBlock block = binding.memory().allocate(size);
        blocks.add(block);
        return block;
    }

    static int ok(int result) {
        ok((long) result);
        return result;
    }

    static long ok(long result) {
        assertTrue(result >= 0, () -> "error " + -result);
        return result;
    }

    static void assertFails(int error, long result) {
        assertEquals(-error, result);
    }
}
