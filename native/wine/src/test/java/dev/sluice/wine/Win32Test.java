package dev.sluice.wine;

import static dev.sluice.calls.layout.WinsockConstants.AF_INET;
import static dev.sluice.calls.layout.WinsockConstants.SOCK_DGRAM;
import static dev.sluice.calls.layout.WinsockConstants.SOCK_STREAM;
import static dev.sluice.calls.layout.WinsockConstants.WSA_FLAG_OVERLAPPED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.layout.ExtensionFunction;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.calls.layout.Wsadata;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
    private static final long NO_HANDLE = -1;

    final Binding binding = Bindings.current();
    final Memory memory = binding.memory();
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
        MemoryBlock block = memory.allocate(size);
        blocks.add(block);
        return block;
    }

    /** {@return memory with these bytes, to be freed after the test} */
    final MemoryBlock block(String text) {
        MemoryBlock block = block(text.length());
        block.buffer().put(0, text.getBytes(StandardCharsets.US_ASCII));
        return block;
    }

    /** {@return a buffer as users allocate it, with these bytes} */
    static ByteBuffer foreign(String text) {
        return ByteBuffer.allocateDirect(text.length()).put(0, text.getBytes(StandardCharsets.US_ASCII));
    }

    static String text(ByteBuffer buffer, int length) {
        byte[] bytes = new byte[length];
        buffer.get(0, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    final long stream() {
        return socket(windows.WSASocketW(AF_INET, SOCK_STREAM, 0, 0, 0, WSA_FLAG_OVERLAPPED));
    }

    /** {@return a datagram socket on any port} */
    final long datagram() {
        long socket = socket(windows.WSASocketW(AF_INET, SOCK_DGRAM, 0, 0, 0, WSA_FLAG_OVERLAPPED));
        bindToAnyPort(socket);
        return socket;
    }

    final LoopbackAddress anyPort() {
        return new LoopbackAddress(block(LoopbackAddress.ROOM), 0);
    }

    final LoopbackAddress addressOf(long socket) {
        LoopbackAddress address = anyPort();
        ok(windows.getsockname(socket, address.address(), address.lengthAddress()));
        return address;
    }

    final void bindToAnyPort(long socket) {
        LoopbackAddress address = anyPort();
        ok(windows.bind(socket, address.address(), address.length()));
    }

    final long listener() {
        long listener = stream();
        bindToAnyPort(listener);
        ok(windows.listen(listener, 8));
        return listener;
    }

    /** {@return both ends of a connection} */
    final long[] connection() {
        long listener = listener();
        LoopbackAddress address = addressOf(listener);
        long client = stream();
        ok(windows.connect(client, address.address(), address.length()));
        long[] ends = {client, socket(windows.accept(listener, 0, 0))};
        close(listener);
        return ends;
    }

    final void makeNonBlocking(long socket) {
        MemoryBlock yes = block(Integer.BYTES);
        yes.buffer().putInt(0, 1);
        ok(windows.ioctlsocket(socket, WinsockConstants.FIONBIO, yes.address()));
    }

    final CompletionPort port() {
        long port = handle(windows.CreateIoCompletionPort(NO_HANDLE, 0, 0, 0));
        return new CompletionPort(windows, port, block(CompletionPort.ROOM));
    }

    final OverlappedCall overlappedCall() {
        return new OverlappedCall(block(OverlappedCall.ROOM)).at(0);
    }

    /** {@return the pointer of an extension function} */
    final long pointer(ExtensionFunction function, long socket) {
        MemoryBlock identifier = block(ExtensionFunction.SIZE);
        function.writeTo(identifier.buffer(), 0);
        MemoryBlock pointer = block(Long.BYTES + Integer.BYTES);
        ok(windows.WSAIoctl(socket, WinsockConstants.SIO_GET_EXTENSION_FUNCTION_POINTER, identifier.address(),
                ExtensionFunction.SIZE, pointer.address(), Long.BYTES, pointer.address() + Long.BYTES, 0, 0));
        return pointer.buffer().getLong(0);
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
