package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The user data that the system returns with a result finds the operation in flight, or none. */
class InFlightTest {

    private static final int MANY = 1000;

    private OperationProcessor processor;
    private InFlight operations;

    @BeforeEach
    void open() throws IOException {
        processor = (OperationProcessor) OpenedDemultiplexers.openAsynchronous(Mechanism.AUTO);
        operations = new InFlight(processor, processor.completed, processor.failures, null);
    }

    @AfterEach
    void close() {
        processor.close();
    }

    private OperationSlot added() {
        OperationSlot operation = (OperationSlot) processor.newOperation();
        operations.add(operation);
        return operation;
    }

    @Test
    void keyOfARemovedOperationFindsNone() {
        OperationSlot first = added();
        long before = first.key();
        operations.remove(first);
        assertNull(operations.get(before));
        OperationSlot second = added();
        assertEquals((int) before, (int) second.key(), "another place");
        assertNull(operations.get(before), "the operation that has the place now");
        assertSame(second, operations.get(second.key()));
    }

    @Test
    void unusedKeysFindNoOperation() {
        assertNull(operations.get(0));
        added();
        assertNull(operations.get(1));
        assertNull(operations.get(-1));
        assertNull(operations.get(Long.MIN_VALUE));
        assertNull(operations.get(Integer.MAX_VALUE));
    }

    @Test
    void growsAndFindsEach() {
        List<OperationSlot> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(added());
        }
        for (OperationSlot each : all) {
            assertTrue(each.key() >= 0);
            assertSame(each, operations.get(each.key()));
        }
        List<OperationSlot> met = new ArrayList<>();
        operations.forEach(each -> {
            met.add(each);
            operations.remove(each);
        });
        assertEquals(all, met);
        assertTrue(operations.isEmpty());
    }
}
