package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A close ends the wait of one thread while another thread is inside a call, which also fails because of the close. */
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class CloseDuringCallTest extends LeakChecked {

    private static final Duration FOR_EVER = Duration.ofDays(1);

    @TempDir
    private Path directory;

    private static void assertBothFail(FaultInjection faults, AutoCloseable socket, Executable wait,
            String function, int nth, Executable call) throws Exception {
        Gate waits = new Gate();
        Gate calls = new Gate();
        faults.beforeNth("poll", 1, waits);
        faults.beforeNth(function, nth, calls);
        Background<HandleClosedException> waiter = Background.run(
                () -> assertThrows(HandleClosedException.class, wait));
        waits.awaitArrival();
        Background<HandleClosedException> caller = Background.run(
                () -> assertThrows(HandleClosedException.class, call));
        calls.awaitArrival();
        socket.close();
        calls.open();
        waits.open();
        assertEquals(socket + " is closed", caller.result().getMessage());
        assertEquals(socket + " is closed", waiter.result().getMessage());
    }

    /** A shutdown has no effect on a Unix acceptor: then there is no connection, which is no failure. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIX")
    void endsAnAccept(Transport transport) throws Exception {
        try (FaultInjection faults = FaultInjection.install();
                SocketAcceptor acceptor = transport.acceptor(directory)) {
            assertBothFail(faults, acceptor, () -> acceptor.accept(FOR_EVER), "accept4", 2, acceptor::accept);
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsAReceive(Transport transport) throws Exception {
        try (FaultInjection faults = FaultInjection.install(); StreamPair pair = transport.connect(directory)) {
            SocketStream stream = pair.server();
            assertBothFail(faults, stream, () -> stream.receiveFully(ByteBuffer.allocate(1), FOR_EVER), "recv", 2,
                    () -> stream.receive(ByteBuffer.allocate(1)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsASend(Transport transport) throws Exception {
        try (FaultInjection faults = FaultInjection.install(); StreamPair pair = transport.connect(directory)) {
            SocketStream stream = pair.server();
            assertBothFail(faults, stream, () -> stream.receiveFully(ByteBuffer.allocate(1), FOR_EVER), "send", 1,
                    () -> stream.send(Bytes.heap("x")));
        }
    }
}
