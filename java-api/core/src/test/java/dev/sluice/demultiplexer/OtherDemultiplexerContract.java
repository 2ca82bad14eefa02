package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Objects of another demultiplexer are rejected, without any effect. */
abstract class OtherDemultiplexerContract extends OperationContract {

    OtherDemultiplexerContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Test
    void completionsOfAnotherDemultiplexerAreRejected() throws IOException {
        try (AsynchronousEventDemultiplexer other = open(); Completions foreign = other.newCompletions(1)) {
            Flight post = start(o -> o.post(7));
            assertThrows(IllegalArgumentException.class, () -> demultiplexer.awaitCompletions(foreign, 0));
            assertResult(7, post);
        }
    }

    @Test
    void foreignCompletionsAreRejected() {
        Completions foreign = (Completions) Proxy.newProxyInstance(Completions.class.getClassLoader(),
                new Class<?>[] {Completions.class}, (proxy, method, arguments) -> null);
        assertThrows(IllegalArgumentException.class, () -> demultiplexer.awaitCompletions(foreign, 0));
        assertThrows(NullPointerException.class, () -> demultiplexer.awaitCompletions(null, 0));
    }

    @Test
    void associationOfAnotherDemultiplexerIsRejected() throws IOException {
        StreamPair pair = pair(StreamKind.fastest());
        try (AsynchronousEventDemultiplexer other = open()) {
            Association foreign = other.associate(pair.near().handle());
            Flight receive = flight();
            assertThrows(IllegalArgumentException.class,
                    () -> receive.start(o -> o.receive(foreign, ByteBuffer.allocate(1))));
            assertFalse(receive.operation().isInFlight());
            assertEquals(0, demultiplexer.inFlight());
        }
    }

    /** The operation has already been claimed for the rejected start, and must be released again. */
    @Test
    void invalidAssociationLeavesTheOperationFree() throws IOException {
        Association foreign = (Association) Proxy.newProxyInstance(Association.class.getClassLoader(),
                new Class<?>[] {Association.class}, (proxy, method, arguments) -> null);
        Flight flight = flight();
        assertTrue(flight.operation().claim(null, null) >= 0);
        assertThrows(NullPointerException.class, () -> flight.start(o -> o.force(null)));
        assertTrue(flight.operation().claim(null, null) >= 0);
        assertThrows(IllegalArgumentException.class, () -> flight.start(o -> o.force(foreign)));
        assertResult(7, flight.start(o -> o.post(7)));
    }
}
