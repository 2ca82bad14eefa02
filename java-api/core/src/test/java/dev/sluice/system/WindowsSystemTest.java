package dev.sluice.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform.Os;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.calls.layout.WinsockLinger;
import dev.sluice.testing.Depth;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Results of the calls of Windows that the real system seldom returns; the calls are simulated. */
@Tag(Depth.IN_QUICK)
class WindowsSystemTest {

    private static final long HANDLE = 7;
    private static final int LENGTH = 10;

    private final Memory memory = Bindings.current().memory();
    private final List<String> calls = new ArrayList<>();
    private OperatingSystem system;
    private int failedWaits;
    private boolean lingers;

    @BeforeEach
    void simulate() {
        Windows windows = (Windows) Proxy.newProxyInstance(Windows.class.getClassLoader(),
                new Class<?>[] {Windows.class}, (proxy, method, arguments) -> call(method, arguments));
        system = OperatingSystem.of(new Binding("simulated Windows", Os.WINDOWS, memory, null, null, null, windows));
        calls.clear();
    }

    private Object call(Method method, Object[] arguments) {
        calls.add(method.getName());
        int result = switch (method.getName()) {
            case "CreateEventW" -> 1;
            case "ReadFile" -> -WindowsError.ERROR_IO_PENDING;
            case "GetOverlappedResult" -> overlappedResult((long) arguments[2]);
            case "closesocket" -> lingers ? -WindowsError.WSAEWOULDBLOCK : 0;
            case "setsockopt" -> setOption((int) arguments[2], (long) arguments[3]);
            default -> 0;
        };
        if (method.getReturnType() == long.class) {
            return (long) result;
        }
        return result;
    }

    private int overlappedResult(long count) {
        if (failedWaits > 0) {
            failedWaits--;
            throw new OutOfMemoryError("thrown by the test");
        }
        try (MemoryBlock transferred = memory.wrap(count, Integer.BYTES, () -> { })) {
            transferred.buffer().putInt(0, LENGTH);
        }
        return 1;
    }

    private int setOption(int option, long value) {
        assertEquals(WinsockConstants.SO_LINGER, option);
        try (MemoryBlock linger = memory.wrap(value, WinsockLinger.SIZE, () -> { })) {
            lingers = WinsockLinger.seconds(linger.buffer(), 0) >= 0;
        }
        return 0;
    }

    @Test
    void socketThatWouldLingerIsClosed() {
        lingers = true;
        assertEquals(0, system.close(HANDLE, true));
        assertEquals(List.of("closesocket", "setsockopt", "closesocket"), calls);
    }

    /** Otherwise the system would write to memory that another call has borrowed. */
    @Test
    void endOfACallIsAwaitedAgainIfThereIsNoMemoryForTheWait() {
        failedWaits = 2;
        try (MemoryBlock destination = memory.allocate(LENGTH)) {
            assertEquals(LENGTH, system.read(HANDLE, destination.address(), LENGTH, 0));
        }
        assertEquals(List.of("CreateEventW", "ReadFile", "GetOverlappedResult", "GetOverlappedResult",
                "GetOverlappedResult", "CloseHandle"), calls);
    }
}
