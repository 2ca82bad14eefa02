package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Connections that the system refuses to hand out. io_uring accepts without a call that could fail. */
@RunsOn(not = {"io_uring", "io_uring-multi-threaded"})
@EnabledOnOs({OS.LINUX, OS.WINDOWS})
class ListenShortageTest extends SocketStagesContract {

    private FaultInjection faults;
    private String accept;

    @BeforeEach
    void installFaults() throws IOException {
        faults = own(FaultInjection.install());
        // The one that is there makes its calls without faults.
        proactor = own(Proactor.open(demultiplexer));
        accept = WaitFunctions.accepting(demultiplexer);
    }

    @Test
    void connectionsWaitWhileThereAreNoDescriptors() throws Exception {
        faults.failEach(accept, Errno.EMFILE);
        run(new Application(), new SocketOptions().connections(3), 64);
        connect();
        connect();
        int before = faults.calls(accept);
        OtherThread.await(() -> faults.calls(accept) > before + 1);
        assertEquals(List.of(), application.events);
        faults.heal();
        application.await(AsyncConnection.class, 2);
        // No place has been lost during the shortage.
        connect();
        application.await(AsyncConnection.class, 3);
    }

    @Test
    void aServerOutlastsWhatForbidsToAccept() throws Exception {
        faults.failNth(accept, 1, Errno.EACCES).failNth(accept, 2, Errno.EIO);
        run(new Application());
        connect();
        application.await(AsyncConnection.class);
    }

    @Test
    void aServerMayBeClosedMeanwhile() throws Exception {
        faults.failEach(accept, Errno.EMFILE);
        run(new Application());
        connect();
        OtherThread.await(() -> faults.calls(accept) > 1);
        server.close();
        assertNull(application.await(ServerSocketClosed.class).cause());
        assertEquals(0, sockets.connections());
    }

    @Test
    void anyOtherErrorEndsTheServer() throws Exception {
        faults.failNth(accept, 1, Errno.EINVAL);
        run(new Application());
        connectIfItListens();
        ServerSocketClosed ended = application.await(ServerSocketClosed.class);
        assertEquals("EINVAL", ((SystemCallException) ended.cause()).errorName());
        assertEquals(0, sockets.connections());
        assertFalse(application.events.stream().anyMatch(AsyncConnection.class::isInstance));
    }

    /** It may have asked for connections before there was one, and have ended by that. */
    private void connectIfItListens() throws IOException {
        try {
            connect();
        } catch (HandleClosedException e) {
            // It has no address any more.
            assertEquals(1, faults.calls(accept));
        } catch (SystemCallException e) {
            assertTrue(e.errorName().equals("ECONNREFUSED") || e.errorName().equals("ECONNRESET"), e::getMessage);
        }
    }
}
