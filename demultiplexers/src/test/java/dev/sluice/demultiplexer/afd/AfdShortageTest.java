package dev.sluice.demultiplexer.afd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While the driver refuses polls, their sockets are reported, and a loop does not spin. */
@Tag("windows")
@Tag(Depth.TRANSFER)
class AfdShortageTest extends LeakChecked {

    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();
    private static final Duration SHORTAGE = Duration.ofMillis(100);
    /** The most waits in one millisecond that do not count as spinning. */
    private static final int WAITS_PER_MILLISECOND = 2;

    @ParameterizedTest
    @ValueSource(strings = {"afd", "afd-one-shot"})
    void waitsPauseWhilePollsAreRefused(String name) throws IOException {
        FaultInjection faults = own(FaultInjection.install());
        SynchronousEventDemultiplexer demultiplexer = own(OpenedDemultiplexers.openSynchronous(name));
        SocketDatagram socket = own(SocketDatagram.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        ReadyBatch ready = own(demultiplexer.newReadyBatch(1));
        faults.failEach("NtDeviceIoControlFile", Errno.ENOBUFS);
        Membership registration = demultiplexer.register(socket.handle(), EventType.READ, null);
        long start = System.nanoTime();
        int waits = 0;
        while (System.nanoTime() - start < SHORTAGE.toNanos()) {
            awaitReport(demultiplexer, registration, ready);
            waits++;
        }
        long most = WAITS_PER_MILLISECOND * Duration.ofNanos(System.nanoTime() - start).toMillis();
        assertTrue(waits <= most, waits + " waits where " + most + " are enough");
        faults.heal();
        socket.send(ByteBuffer.allocate(1), socket.localAddress());
        awaitReport(demultiplexer, registration, ready);
    }

    private static void awaitReport(SynchronousEventDemultiplexer demultiplexer, Membership registration,
            ReadyBatch ready) throws IOException {
        assertEquals(1, demultiplexer.awaitReady(ready, PATIENCE));
        if (demultiplexer.trigger() == Trigger.ONE_SHOT) {
            registration.rearm();
        }
    }
}
