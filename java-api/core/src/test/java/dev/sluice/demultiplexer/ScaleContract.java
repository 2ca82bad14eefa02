package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Thousands of handles, for the mechanisms that support so many. */
public abstract class ScaleContract extends DemultiplexerContract {

    private static final int HANDLES = CalledSystem.times(5_000);

    private final List<Membership> registrations = new ArrayList<>();
    private List<Pipe> pipes;

    protected ScaleContract(String name) {
        super(name);
    }

    @BeforeEach
    void registerAll() throws IOException {
        DescriptorTable.assumeLimitAllows(2 * HANDLES);
        DescriptorTable table = own(new DescriptorTable());
        table.open(HANDLES);
        pipes = table.pipes();
        for (int i = 0; i < HANDLES; i++) {
            registrations.add(demultiplexer.register(pipes.get(i).source(), READ, i));
        }
    }

    @Test
    void exactlyTheReadyOnesAreReported() throws IOException {
        assertQuiet();
        for (int step : new int[] {7, HANDLES / 5, 1, HANDLES - 1}) {
            BitSet sent = new BitSet();
            for (int i = 0; i < HANDLES; i += step) {
                pipes.get(i).send(ByteBuffer.allocate(1));
                sent.set(i);
            }
            assertEquals(sent, received(sent.cardinality()));
            assertQuiet();
        }
    }

    @Test
    void removedOnesAreNot() throws IOException {
        BitSet staying = new BitSet();
        for (int i = 0; i < HANDLES; i++) {
            pipes.get(i).send(ByteBuffer.allocate(1));
            if (i % 3 == 0) {
                registrations.get(i).remove();
            } else if (i % 3 == 1) {
                pipes.get(i).source().close();
            } else {
                staying.set(i);
            }
        }
        assertEquals(staying, received(staying.cardinality()));
        assertQuiet();
        assertFalse(registrations.get(0).isValid());
    }

    private BitSet received(int count) throws IOException {
        BitSet received = new BitSet();
        long start = System.nanoTime();
        while (received.cardinality() < count) {
            assertTrue(System.nanoTime() - start < PATIENCE.toNanos(), () -> received.cardinality() + " of " + count);
            demultiplexer.awaitReady(ready, PATIENCE.toNanos());
            for (int i = 0; i < ready.size(); i++) {
                int index = (Integer) ready.membership(i).attachment();
                assertEquals(1, pipes.get(index).receive(ByteBuffer.allocate(2)), "bytes of the pipe");
                received.set(index);
                ready.membership(i).rearm();
            }
        }
        return received;
    }
}
