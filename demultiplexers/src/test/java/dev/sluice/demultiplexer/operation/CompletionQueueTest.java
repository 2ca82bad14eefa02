package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Completions for which there is no memory. */
class CompletionQueueTest extends LeakChecked {

    private static final int RECORDS = 3;

    /** A queue that has memory for a limited number of records. */
    private static final class PoorQueue extends CompletionQueue {

        final OutOfMemoryError lack = new OutOfMemoryError("thrown by the test");
        private int left;

        PoorQueue(int left) {
            super(false);
            this.left = left;
        }

        @Override
        CompletionRecord newRecord() {
            if (left == 0) {
                throw lack;
            }
            left--;
            return super.newRecord();
        }

        List<Long> collect() {
            CollectedCompletions batch = new CollectedCompletions(null, 10);
            collect(batch);
            return IntStream.range(0, batch.size()).mapToObj(batch::result).toList();
        }
    }

    /** {@return an operation that has been asked for something} */
    private OperationSlot operation() throws IOException {
        OperationSlot operation = (OperationSlot) own(OpenedDemultiplexers.openAsynchronous(Mechanism.AUTO))
                .newOperation();
        operation.prepare(OperationType.POST);
        return operation;
    }

    @Test
    void whatTheyWouldHaveBroughtIsClosed(@TempDir Path directory) throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketStream stream = own(SocketConnector.connect(acceptor.localAddress(), Duration.ofSeconds(30)));
        FileHandle file = own(FileHandle.open(Files.createFile(directory.resolve("file"))));
        OperationSlot operation = operation();
        PoorQueue queue = new PoorQueue(0);
        assertSame(queue.lack, assertThrows(OutOfMemoryError.class, () -> queue.add(operation, 0, stream, false)));
        assertFalse(stream.handle().isOpen());
        assertSame(queue.lack, assertThrows(OutOfMemoryError.class, () -> queue.add(operation, 0, file, false)));
        assertFalse(file.handle().isOpen());
        assertSame(queue.lack, assertThrows(OutOfMemoryError.class, queue::reserve));
        assertTrue(queue.isEmpty());
    }

    /** Otherwise each receive for whose completion there is no memory would take one from all connections. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void providedBufferIsFreeAgain() throws Exception {
        try (OperationProcessor processor = new EmulatedDemultiplexer(new PollDemultiplexer(),
                new ProvidedBuffers.Size(1024, 1, 1), FilePool.DEFAULT_MAX);
                Completions completions = processor.newCompletions(1)) {
            // The thread that has waited is the loop thread.
            assertEquals(0, processor.awaitCompletions(completions, 0));
            assertTrue(processor.enterInside());
            try {
                BufferGroup group = processor.memory.providedBuffers.ordinary();
                group.grow(false, false);
                PooledBuffer buffer = PooledBuffer.takeFree(group);
                assertNotNull(buffer);
                assertFalse(group.hasFree());
                OperationSlot operation = (OperationSlot) processor.newOperation();
                PoorQueue queue = new PoorQueue(0);
                assertSame(queue.lack, assertThrows(OutOfMemoryError.class,
                        () -> queue.add(operation, 1, buffer.filled(1), false)));
                assertTrue(group.hasFree());
            } finally {
                processor.leaveInside();
            }
        }
    }

    /** An operation that could not complete for lack of memory would never end. */
    @Test
    void lastOneNeedsNoMemory() throws Exception {
        OperationSlot operation = operation();
        PoorQueue queue = new PoorQueue(2);
        queue.reserve();
        queue.add(operation, 0, null, false);
        assertThrows(OutOfMemoryError.class, () -> queue.add(operation, 1, null, false));
        queue.add(operation, 2, null, true);
        assertEquals(List.of(0L, 2L), queue.collect());
    }

    @Test
    void asManyComeAsThereIsMemoryFor() throws Exception {
        OperationSlot operation = operation();
        PoorQueue queue = new PoorQueue(3);
        for (int i = 0; i < 3; i++) {
            queue.add(operation, i, null, false);
        }
        assertThrows(OutOfMemoryError.class, () -> queue.add(operation, 3, null, false));
        assertEquals(List.of(0L, 1L, 2L), queue.collect());
    }

    /** A thread that runs the loop for one iteration at a time closes its batch after each. */
    @Test
    void recordsOfClosedBatchesAreUsedAgain() throws Exception {
        OperationSlot operation = operation();
        PoorQueue queue = new PoorQueue(RECORDS);
        for (int i = 0; i < 10 * RECORDS; i++) {
            queue.add(operation, i, null, false);
            CollectedCompletions batch = new CollectedCompletions(null, 1);
            queue.collect(batch);
            assertEquals(i, batch.result(0));
            batch.clear();
            queue.close(batch);
        }
    }

    @Test
    void recordsOfABatchThatIsUsedAreNotTakenBack() throws Exception {
        OperationSlot operation = operation();
        PoorQueue queue = new PoorQueue(2);
        queue.add(operation, 1, null, false);
        CollectedCompletions batch = new CollectedCompletions(null, 1);
        queue.collect(batch);
        queue.close(batch);
        queue.add(operation, 2, null, false);
        assertEquals(1, batch.result(0));
    }
}
