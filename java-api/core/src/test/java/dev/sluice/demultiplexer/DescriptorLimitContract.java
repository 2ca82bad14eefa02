package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A mechanism that can wait only for descriptors below a certain number: it reports that, and everything else works.
 */
public abstract class DescriptorLimitContract extends DemultiplexerContract {

    private final int limit;
    private final String limitName;
    private DescriptorTable table;

    /**
     * For subclasses.
     *
     * @param name      of the demultiplexer under test
     * @param limit     the lowest descriptor that it does not support
     * @param limitName the name of that limit in C
     */
    protected DescriptorLimitContract(String name, int limit, String limitName) {
        super(name);
        this.limit = limit;
        this.limitName = limitName;
    }

    @BeforeEach
    void openTable() throws IOException {
        DescriptorTable.assumeLimitAllows(limit);
        table = own(new DescriptorTable());
    }

    @Test
    void lastDescriptorBelowTheLimitIsTaken() throws IOException {
        Handle last = table.openUpTo(limit - 1);
        table.pipes().get(table.pipes().size() - 1).send(ByteBuffer.allocate(1));
        Membership registration = register(last, READ | WRITE);
        assertEquals(1, demultiplexer.awaitReady(ready, PATIENCE.toNanos()));
        assertSame(registration, ready.membership(0));
        last.close();
        assertQuietFor(A_MOMENT);
    }

    @Test
    void descriptorAboveTheLimitIsRejected() throws IOException {
        Membership low = register(pipe().sink(), WRITE);
        Handle high = table.openUpTo(limit);
        String message = assertThrows(IOException.class, () -> register(high, WRITE)).getMessage();
        assertTrue(message.contains(limitName) && message.contains(high.toString()), message);
        assertReported(low, WRITE);
    }

    @Test
    void cannotBeOpenedAboveTheLimit() throws IOException {
        Membership low = register(pipe().sink(), WRITE);
        table.openUpTo(limit);
        String message = assertThrows(IOException.class, this::openDemultiplexer).getMessage();
        assertTrue(message.contains(limitName), message);
        String byName = assertThrows(Exception.class, () -> OpenedDemultiplexers.openSynchronous(name())).getMessage();
        assertTrue(byName.contains(limitName), byName);
        assertReported(low, WRITE);
    }
}
