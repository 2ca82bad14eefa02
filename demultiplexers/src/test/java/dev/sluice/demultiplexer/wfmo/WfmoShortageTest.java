package dev.sluice.demultiplexer.wfmo;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What finds no memory or no stack for a call leaves nothing behind: no event, no memory, and no open handle. */
@Tag("windows")
@Tag(Depth.TRANSFER)
class WfmoShortageTest extends LeakChecked {

    private final Error shortage = new OutOfMemoryError("thrown by the test");

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void openingClosesTheEventsThatItHas(int n) {
        own(FaultInjection.install()).throwNth("CreateEventW", n, shortage);
        assertSame(shortage, assertThrows(OutOfMemoryError.class, WfmoDemultiplexer::new));
    }

    @Test
    void registrationReleasesItsHandle() throws IOException {
        FaultInjection faults = own(FaultInjection.install());
        SocketDatagram socket = socket();
        WfmoDemultiplexer demultiplexer = own(new WfmoDemultiplexer());
        faults.throwNth("WSAEventSelect", 1, shortage);
        assertSame(shortage, assertThrows(OutOfMemoryError.class,
                () -> demultiplexer.register(socket.handle(), EventType.READ, null)));
    }

    @Test
    void removalReleasesItsHandle() throws IOException {
        FaultInjection faults = own(FaultInjection.install());
        SocketDatagram socket = socket();
        WfmoDemultiplexer demultiplexer = own(new WfmoDemultiplexer());
        Membership registration = demultiplexer.register(socket.handle(), EventType.READ, null);
        faults.throwNth("WSAEventSelect", 1, shortage);
        assertSame(shortage, assertThrows(OutOfMemoryError.class, registration::remove));
        assertFalse(registration.isValid());
    }

    @Test
    void closeReleasesItsHandle() throws IOException {
        FaultInjection faults = own(FaultInjection.install());
        SocketDatagram socket = socket();
        WfmoDemultiplexer demultiplexer = own(new WfmoDemultiplexer());
        demultiplexer.register(socket.handle(), EventType.READ, null);
        faults.throwNth("WSAEventSelect", 1, shortage);
        assertSame(shortage, assertThrows(OutOfMemoryError.class, demultiplexer::close));
    }

    private SocketDatagram socket() throws IOException {
        return own(SocketDatagram.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }
}
