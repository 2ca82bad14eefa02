package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import org.junit.jupiter.api.Test;

/** {@link HandleSetKind#ITERATIVE}: one thread at a time waits. */
public abstract class IterativeHandleSetContract extends DemultiplexerContract {

    protected IterativeHandleSetContract(String name) {
        super(name);
    }

    @Test
    void handleSetIsIterative() {
        assertEquals(HandleSetKind.ITERATIVE, demultiplexer.handleSetKind());
    }

    @Test
    void secondWaiterIsRefusedAndTheFirstGoesOn() throws Exception {
        Waiter first = waiter(FOREVER);
        assertThrows(IllegalStateException.class, () -> demultiplexer.awaitReady(ready, FOREVER));
        assertThrows(IllegalStateException.class, () -> demultiplexer.awaitReady(ready, 0));
        first.asleep();
        register(pipe().sink(), WRITE);
        assertEquals(1, first.result());
        assertEquals(WRITE, first.ready().events(0));
    }

    @Test
    void threadsMayWaitInTurn() throws Exception {
        register(pipe().source(), READ);
        for (int turn = 0; turn < 100; turn++) {
            Waiter waiter = waiter(FOREVER);
            demultiplexer.wakeUp();
            assertEquals(0, waiter.result());
        }
    }
}
