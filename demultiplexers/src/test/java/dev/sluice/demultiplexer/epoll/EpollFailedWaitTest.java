package dev.sluice.demultiplexer.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SystemCallException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code epoll_wait} fails: an owner's wait says so, and its next one is as if nothing had happened. */
@EnabledOnOs(OS.LINUX)
class EpollFailedWaitTest extends LeakChecked {

    private static final String WAIT = "epoll_wait";

    private FaultInjection faults;
    private EpollDemultiplexer demultiplexer;
    private ReadyBatch ready;

    @BeforeEach
    void open() throws Exception {
        faults = own(FaultInjection.install());
        demultiplexer = own(new EpollDemultiplexer("epoll", Trigger.LEVEL));
        ready = own(demultiplexer.newReadyBatch(4));
        Pipe pipe = own(Pipe.open());
        pipe.send(ByteBuffer.allocate(1));
        demultiplexer.register(pipe.source(), EventType.READ, null);
    }

    /** The number of {@code EPERM} is 1, and -1 a timeout. */
    @ParameterizedTest
    @CsvSource({"EIO, 0", "EIO, -1", "EIO, 1000000000", "EPERM, 0", "EPERM, -1"})
    void isReported(Errno error, long nanos) throws Exception {
        faults.failNth(WAIT, 1, error);
        SystemCallException failure =
                assertThrows(SystemCallException.class, () -> demultiplexer.awaitAsOwner(ready, nanos));
        assertEquals(error.name(), failure.errorName());
        assertEquals(0, ready.size());
        assertEquals(1, demultiplexer.awaitAsOwner(ready, nanos));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1_000_000_000})
    void continuesAfterASignal(long nanos) throws Exception {
        faults.failNth(WAIT, 1, Errno.EINTR);
        assertEquals(1, demultiplexer.awaitAsOwner(ready, nanos));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void isOneCall(long nanos) throws Exception {
        assertEquals(1, demultiplexer.awaitAsOwner(ready, nanos));
        assertEquals(1, faults.calls(WAIT));
        demultiplexer.wakeUp();
        assertEquals(1, demultiplexer.awaitAsOwner(ready, nanos));
        assertEquals(2, faults.calls(WAIT));
    }
}
