package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The association of a handle with a demultiplexer, until it is closed or the handle is. */
@Tag(Depth.CORE)
abstract class AssociationContract extends OperationContract {

    private static final int ROUNDS = Depth.times(20, 40, 200);

    AssociationContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void isMadeOnce(Transport transport) throws IOException {
        OneWayTransport ends = own(transport.open());
        Association where = associate(ends.receiver());
        assertSame(ends.receiver(), where.handle());
        assertEquals(ends.receiver().toString(), where.toString());
        assertThrows(IllegalStateException.class, () -> associate(ends.receiver()));
        assertResult(EventType.READ, readiness(ends, where));
    }

    private Flight readiness(OneWayTransport ends, Association where) throws IOException {
        ends.send();
        return start(o -> o.poll(where, EventType.READ));
    }

    @Test
    void closedHandleIsRefused() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        pair.near().close();
        assertThrows(HandleClosedException.class, () -> associate(pair.near()));
    }

    @Test
    void mayBeMadeAgainAfterItsEnd() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        for (int round = 0; round < 10; round++) {
            Association where = associate(pair.near());
            Flight receive = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
            if (round % 2 == 0) {
                Peer.send(pair.far(), (byte) 1);
                assertResult(1, receive);
            }
            where.end();
            where.end();
            isCancelled(receive);
        }
        assertTrue(pair.near().handle().isOpen());
    }

    @Test
    void operationsAfterItsEndAreCancelled() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        Peer.send(pair.far(), (byte) 1);
        where.end();
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        Flight send = start(o -> o.send(where, ByteBuffer.allocateDirect(1), true));
        assertCancelled(receive);
        assertCancelled(send);
        assertEquals(1, Peer.receive(pair.near(), 1).length);
        assertEquals(0, pair.far().receive(ByteBuffer.allocate(1)));
    }

    @Test
    void operationsAfterTheHandlesCloseAreCancelled() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        Association where = associate(pair.near());
        pair.near().close();
        assertCancelled(start(o -> o.receive(where, ByteBuffer.allocateDirect(1))));
        assertCancelled(start(o -> o.receiveContinuously(where)));
        assertCancelled(start(o -> o.send(where, ByteBuffer.allocate(1), true)));
        assertCancelled(start(o -> o.poll(where, EventType.READ)));
        where.cancel();
        where.end();
    }

    @ParameterizedTest
    @MethodSource("streamKinds")
    void holdsTheDescriptorUntilTheLastCompletion(StreamKind kind) throws IOException {
        StreamPair pair = pair(kind);
        OpenDescriptors.assumeShown();
        int descriptor = DemultiplexerContract.descriptor(pair.near().handle());
        String link = OpenDescriptors.link(descriptor).orElseThrow();
        Association where = associate(pair.near());
        Flight receive = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
        assertNoCompletion();
        pair.near().close();
        assertEquals(link, OpenDescriptors.link(descriptor).orElse("closed"), "closed under the operation");
        assertTrue(receive.operation().isInFlight());
        assertCancelled(receive);
        collectReady();
        assertFalse(link.equals(OpenDescriptors.link(descriptor).orElse("closed")), "never closed");
        Peer.assertEnd(pair.far());
    }

    @Test
    void idleOneLetsGoWithTheClose() throws IOException {
        StreamPair pair = pair(StreamKind.TCP);
        Association where = associate(pair.near());
        assertResult(1, start(o -> o.send(where, ByteBuffer.allocate(1), true)));
        Peer.receive(pair.far(), 1);
        pair.near().close();
        collectReady();
        Peer.assertEnd(pair.far());
    }

    @Test
    void closeOfTheHandleAgainstStarts() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (StreamPair pair = StreamKind.fastest().connect()) {
                Association where = associate(pair.near());
                Flight first = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
                var closer = inBackground(() -> {
                    pair.near().close();
                    return null;
                });
                Flight second = start(o -> o.receive(where, ByteBuffer.allocateDirect(1)));
                Flight third = start(o -> o.poll(where, EventType.READ));
                assertCancelled(first);
                assertCancelled(second);
                assertCancelled(third);
                finish(closer);
                collectReady();
                Peer.assertEnd(pair.far());
            }
        }
    }
}
