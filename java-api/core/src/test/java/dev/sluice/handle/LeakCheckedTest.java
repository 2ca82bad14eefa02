package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Windows;
import dev.sluice.testing.Depth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag(Depth.IN_QUICK)
@Tag(Depth.ON_WINDOWS)
class LeakCheckedTest {

    /** A test that leaks a resource. */
    private static final class Checked extends LeakChecked {

        Checked() {
            super(Duration.ofMillis(200));
        }
    }

    private enum Leak {

        SOCKET {
            @Override
            AutoCloseable open(Path directory) throws Exception {
                return SocketDatagram.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            }
        },

        FILE {
            @Override
            AutoCloseable open(Path directory) throws Exception {
                return FileHandle.open(Files.createFile(directory.resolve("file")));
            }
        },

        MEMORY {
            @Override
            AutoCloseable open(Path directory) {
                return Bindings.current().memory().allocate(1);
            }
        },

        THREAD {
            @Override
            AutoCloseable open(Path directory) {
                CountDownLatch end = new CountDownLatch(1);
                Background<Void> thread = Background.run(() -> {
                    end.await();
                    return null;
                });
                return () -> {
                    end.countDown();
                    thread.result();
                };
            }
        },

        EVENT {
            @Override
            AutoCloseable open(Path directory) {
                Windows windows = Bindings.current().windows();
                long event = windows.CreateEventW(0, 0, 0, 0);
                return () -> windows.CloseHandle(event);
            }
        },

        THREAD_HANDLE {
            @Override
            AutoCloseable open(Path directory) {
                int own = Function.getFunction("kernel32", "GetCurrentThreadId").invokeInt(new Object[0]);
                Pointer handle = Function.getFunction("kernel32", "OpenThread")
                        .invokePointer(new Object[] {THREAD_QUERY_INFORMATION, 0, own});
                return () -> Bindings.current().windows().CloseHandle(Pointer.nativeValue(handle));
            }
        };

        private static final int THREAD_QUERY_INFORMATION = 0x40;

        abstract AutoCloseable open(Path directory) throws Exception;

        static Stream<Leak> here() {
            boolean isWindows = Platform.CURRENT.os() == Platform.Os.WINDOWS;
            return Arrays.stream(values()).filter(leak -> isWindows || leak.compareTo(EVENT) < 0);
        }
    }

    static Stream<Leak> leaks() {
        return Leak.here();
    }

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("leaks")
    void leakedResourcesFailATest(Leak leak) throws Exception {
        Checked test = new Checked();
        test.takeStock();
        AutoCloseable leaked = leak.open(directory);
        try {
            String message = assertThrows(AssertionError.class, test::compareStock).getMessage();
            assertTrue(message.contains("leaked"), message);
        } finally {
            leaked.close();
        }
        test.compareStock();
    }
}
