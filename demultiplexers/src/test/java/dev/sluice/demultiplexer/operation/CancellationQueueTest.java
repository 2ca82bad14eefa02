package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each operation to be cancelled is there once. */
class CancellationQueueTest {

    private final CancellationQueue queue = new CancellationQueue();
    private OperationProcessor processor;
    private OperationSlot first;
    private OperationSlot second;

    @BeforeEach
    void open() throws IOException {
        processor = (OperationProcessor) OpenedDemultiplexers.openAsynchronous(Mechanism.AUTO);
        first = (OperationSlot) processor.newOperation();
        second = (OperationSlot) processor.newOperation();
    }

    @AfterEach
    void close() {
        processor.close();
    }

    @Test
    void firstInFirstOut() {
        queue.add(first);
        queue.add(second);
        assertSame(first, queue.poll());
        assertSame(second, queue.poll());
        assertNull(queue.poll());
        assertTrue(queue.isEmpty());
    }

    @Test
    void eachIsThereOnce() {
        for (int i = 0; i < 2; i++) {
            queue.add(first);
            queue.add(second);
        }
        queue.add(second);
        assertSame(first, queue.poll());
        assertSame(second, queue.poll());
        assertNull(queue.poll());
    }

    @Test
    void whatHasBeenTakenMayComeAgain() {
        queue.add(first);
        assertTrue(first.isToCancel());
        assertSame(first, queue.poll());
        assertFalse(first.isToCancel());
        queue.add(second);
        queue.add(first);
        assertSame(second, queue.poll());
        assertTrue(first.isToCancel());
        assertSame(first, queue.poll());
        assertFalse(first.isToCancel());
    }
}
