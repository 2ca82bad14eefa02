package dev.sluice.demultiplexer.iocp;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A handle that cannot be tied to the port. */
@Tag("windows")
@Tag(Depth.TRANSFER)
class IocpAssociationTest extends LeakChecked {

    /** The check for leaks after the test finds a handle that stays open. */
    @Test
    void associationThatFindsNoMemoryReleasesItsHandle() throws IOException {
        FaultInjection faults = own(FaultInjection.install());
        SocketDatagram socket = own(
                SocketDatagram.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        AsynchronousEventDemultiplexer operations = new IocpDemultiplexer();
        try {
            OutOfMemoryError shortage = new OutOfMemoryError("thrown by the test");
            faults.throwNth("CreateIoCompletionPort", 1, shortage);
            assertSame(shortage, assertThrows(OutOfMemoryError.class, () -> operations.associate(socket.handle())));
            operations.associate(socket.handle());
        } finally {
            operations.close(rest -> { });
        }
    }
}
