package dev.sluice.stage.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.Errno;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.SystemCallException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Connections that the system refuses to hand out. */
@Tag("one-binding")
@EnabledOnOs(OS.LINUX)
class ListenShortageTest extends SocketStagesContract {

    private static final String ACCEPT = "accept4";

    private FaultInjection faults;

    @BeforeEach
    void installFaults() {
        assumeFalse(demultiplexer.startsWith("io_uring"), "accepts without a call of its own");
        faults = own(FaultInjection.install());
    }

    @Test
    void connectionsWaitWhileThereAreNoDescriptors() throws Exception {
        run(new Application(), new SocketOptions().connections(3), 64);
        faults.failEach(ACCEPT, Errno.EMFILE);
        connect();
        connect();
        int before = faults.calls(ACCEPT);
        OtherThread.await(() -> faults.calls(ACCEPT) > before + 1);
        assertEquals(List.of(), application.events);
        faults.heal();
        application.await(AsyncConnection.class, 2);
        // No place has been lost meanwhile.
        connect();
        application.await(AsyncConnection.class, 3);
    }

    @Test
    void aServerMayBeClosedMeanwhile() throws Exception {
        run(new Application());
        faults.failEach(ACCEPT, Errno.EMFILE);
        connect();
        OtherThread.await(() -> faults.calls(ACCEPT) > 1);
        server.close();
        assertNull(application.await(ListenEnded.class).cause());
        assertEquals(0, sockets.connections());
    }

    @Test
    void anyOtherErrorEndsTheServer() throws Exception {
        run(new Application());
        faults.failNth(ACCEPT, 1, Errno.EINVAL);
        connect();
        ListenEnded ended = application.await(ListenEnded.class);
        assertEquals(Errno.EINVAL, ((SystemCallException) ended.cause()).error());
        assertEquals(0, sockets.connections());
        assertFalse(application.events.stream().anyMatch(AsyncConnection.class::isInstance));
    }
}
