package dev.sluice.mechanism.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the system hands back with a result leads to the operation in flight, or to nobody. */
class OperationTableTest {

    private static final int MANY = 1000;

    private final OperationTable table = new OperationTable();
    private OperationProcessor processor;

    @BeforeEach
    void open() throws IOException {
        processor = (OperationProcessor) OpenedDemultiplexers.openAsynchronous(Demultiplexers.AUTO);
    }

    @AfterEach
    void close() {
        processor.close();
    }

    private OperationSlot added() {
        OperationSlot operation = (OperationSlot) processor.newOperation();
        table.add(operation);
        return operation;
    }

    @Test
    void aKeyOfBeforeLeadsToNobody() {
        OperationSlot first = added();
        long before = first.key();
        table.remove(first);
        assertNull(table.get(before));
        OperationSlot second = added();
        assertEquals((int) before, (int) second.key(), "another place");
        assertNull(table.get(before), "the operation that has the place now");
        assertSame(second, table.get(second.key()));
    }

    @Test
    void whatNobodyWasGivenLeadsToNobody() {
        assertNull(table.get(0));
        added();
        assertNull(table.get(1));
        assertNull(table.get(-1));
        assertNull(table.get(Long.MIN_VALUE));
        assertNull(table.get(Integer.MAX_VALUE));
    }

    @Test
    void growsAndFindsEach() {
        List<OperationSlot> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(added());
        }
        for (OperationSlot each : all) {
            assertTrue(each.key() >= 0);
            assertSame(each, table.get(each.key()));
        }
        List<OperationSlot> met = new ArrayList<>();
        table.forEach(each -> {
            met.add(each);
            table.remove(each);
        });
        assertEquals(all, met);
        assertTrue(table.isEmpty());
    }
}
